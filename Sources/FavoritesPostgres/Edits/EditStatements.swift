extension Statement {
    /// Whether a row of `marvel.edits AS e` matches its checksum.
    private static let isEditWhole = "coalesce(e.checksum = marvel.edit_checksum_1(e), false)"

    /// Whether a row of `marvel.edit_pictures AS p` matches its checksum.
    private static let isPictureWhole = "coalesce(p.checksum = marvel.edit_picture_checksum_1(p), false)"

    /// Columns: the character, the revision, the document, whether the row matches its checksum.
    private static func edits(isWhole: String) -> String {
        """
        SELECT e.character_id, e.revision, (to_jsonb(e) || jsonb_build_object('media_type', p.media_type))::text, \(isWhole)
        FROM marvel.edits AS e LEFT JOIN marvel.edit_pictures AS p ON p.character_id = e.character_id
        """
    }

    static let edits = Statement(
        name: "edits",
        text: "\(edits(isWhole: isEditWhole)) WHERE e.revision > $1 ORDER BY e.revision"
    )

    /// All edits, oldest first, and then their pictures.
    static func recordedEdits(hasChecksums: Bool) -> String {
        """
        SELECT e.*, p.bytes, \(hasChecksums ? "p.character_id IS NULL OR \(isPictureWhole)" : "true")
        FROM (\(edits(isWhole: hasChecksums ? isEditWhole : "true"))) AS e (character_id, revision, document, is_whole)
        LEFT JOIN marvel.edit_pictures AS p ON p.character_id = e.character_id ORDER BY e.revision
        """
    }

    static let editOfCharacter = Statement(
        name: "edit_of_character",
        text: "\(edits(isWhole: isEditWhole)) WHERE e.character_id = $1"
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

    static let editCount = Statement(
        name: "edit_count",
        text: "SELECT count(*) FROM (SELECT FROM marvel.edits LIMIT $1) AS e"
    )

    /// Parameters: the smallest and the largest id.
    static let lastEditedID = Statement(
        name: "last_edited_id",
        text: "SELECT max(character_id) FROM marvel.edits WHERE character_id BETWEEN $1 AND $2"
    )

    private static let fields = """
        kind, name, description, comic_count, series_count, story_count, event_count, urls, edited_at
        """

    /// Parameters: the character, the revision, the document.
    static let putEdit = Statement(
        name: "put_edit",
        text: """
            INSERT INTO marvel.edits (character_id, revision, \(fields))
            SELECT $1, $2, \(fields) FROM jsonb_populate_record(NULL::marvel.edits, $3::jsonb)
            ON CONFLICT (character_id) DO UPDATE SET (revision, \(fields)) = (
                SELECT excluded.revision, \(fields) FROM jsonb_populate_record(NULL::marvel.edits, $3::jsonb)
            )
            """
    )

    static let editPicture = Statement(
        name: "edit_picture",
        text: "SELECT media_type, bytes, \(isPictureWhole) FROM marvel.edit_pictures AS p WHERE character_id = $1"
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

    /// Columns: the kind of the request, its digest as hexadecimal digits, the character.
    ///
    /// Servers that know five steps of the schema have a table of their own for the requests of edits. Until a step drops it,
    /// requests are looked up and written in both, so that each is carried out once by servers of both versions.
    static let editRequest = Statement(
        name: "edit_request",
        text: """
            SELECT desired, list, character_id FROM marvel.answers WHERE principal = $1 AND request_id = $2
            UNION ALL
            SELECT 4::int2, lpad(to_hex(digest), 16, '0'), character_id FROM marvel.edit_requests
            WHERE principal = $1 AND request_id = $2
            """
    )

    /// Parameters: the principal, the request id, the digest, the character, the time, the time before which requests are
    /// too old.
    static let insertEditRequest = Statement(
        name: "insert_edit_request",
        text: """
            WITH expired AS (
                DELETE FROM marvel.edit_requests WHERE created_at < $6
            ), older AS (
                INSERT INTO marvel.edit_requests (principal, request_id, digest, character_id, created_at)
                VALUES ($1, $2, $3, $4, $5)
            )
            INSERT INTO marvel.answers (principal, request_id, history, list, character_id, desired, is_favorite, revision,
                created_at)
            SELECT $1, $2, history, lpad(to_hex($3), 16, '0'), $4, 4, false, 0, $5 FROM marvel.meta
            """
    )
}
