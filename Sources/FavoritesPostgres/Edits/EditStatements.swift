/// The statements of the store of edits.
extension Statement {
    private static let editColumns = """
        SELECT e.character_id, e.kind, e.name, e.description, e.comic_count, e.series_count, e.story_count, e.event_count,
            e.urls, e.edited_at, e.revision, p.media_type
        FROM marvel.edits AS e LEFT JOIN marvel.edit_pictures AS p ON p.character_id = e.character_id
        """

    /// Returns the edits after a revision, oldest first.
    static let edits = Statement(
        name: "edits",
        text: "\(editColumns) WHERE e.revision > $1 ORDER BY e.revision"
    )

    /// All edits, oldest first.
    static let recordedEdits = "\(editColumns) ORDER BY e.revision"

    static let editOfCharacter = Statement(
        name: "edit_of_character",
        text: "\(editColumns) WHERE e.character_id = $1"
    )

    /// Columns: the revision of the newest edit, the history, the base. Rows are never deleted, so the newest edit is in
    /// the table.
    static let newestEdit = Statement(
        name: "newest_edit",
        text: """
            SELECT coalesce((SELECT revision FROM marvel.edits ORDER BY revision DESC LIMIT 1), 0), history, base
            FROM marvel.meta
            """
    )

    /// Writes a message that nobody reads. So the commit of a transaction that changes nothing waits for a standby, and with
    /// it for all that the transaction has read.
    static let awaitStandby = Statement(
        name: "await_standby",
        text: "SELECT pg_logical_emit_message(true, 'marvel', '')::text"
    )

    /// Waits for the edits of other servers, and keeps theirs out until the end of the transaction.
    static let lockEdits = Statement(
        name: "lock_edits",
        text: "SELECT pg_advisory_xact_lock(\(Functions.editLock))::text"
    )

    static let editCount = Statement(name: "edit_count", text: "SELECT count(*) FROM marvel.edits")

    /// Parameters: the smallest and the largest id.
    static let lastEditedID = Statement(
        name: "last_edited_id",
        text: "SELECT max(character_id) FROM marvel.edits WHERE character_id BETWEEN $1 AND $2"
    )

    static let putEdit = Statement(
        name: "put_edit",
        text: """
            INSERT INTO marvel.edits (character_id, kind, name, description, comic_count, series_count, story_count,
                event_count, urls, edited_at, revision)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT (character_id) DO UPDATE SET kind = excluded.kind, name = excluded.name,
                description = excluded.description, comic_count = excluded.comic_count,
                series_count = excluded.series_count, story_count = excluded.story_count,
                event_count = excluded.event_count, urls = excluded.urls, edited_at = excluded.edited_at,
                revision = excluded.revision
            """
    )

    static let editPicture = Statement(
        name: "edit_picture",
        text: "SELECT media_type, bytes FROM marvel.edit_pictures WHERE character_id = $1"
    )

    static let putEditPicture = Statement(
        name: "put_edit_picture",
        text: """
            INSERT INTO marvel.edit_pictures (character_id, media_type, bytes) VALUES ($1, $2, $3)
            ON CONFLICT (character_id) DO UPDATE SET media_type = excluded.media_type, bytes = excluded.bytes
            """
    )

    static let deleteEditPicture = Statement(
        name: "delete_edit_picture",
        text: "DELETE FROM marvel.edit_pictures WHERE character_id = $1"
    )

    static let editRequest = Statement(
        name: "edit_request",
        text: "SELECT digest, character_id FROM marvel.edit_requests WHERE principal = $1 AND request_id = $2"
    )

    static let insertEditRequest = Statement(
        name: "insert_edit_request",
        text: """
            INSERT INTO marvel.edit_requests (principal, request_id, digest, character_id, created_at)
            VALUES ($1, $2, $3, $4, $5)
            """
    )

    static let pruneEditRequests = Statement(
        name: "prune_edit_requests",
        text: "DELETE FROM marvel.edit_requests WHERE created_at < $1"
    )
}
