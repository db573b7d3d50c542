internal import MarvelDomain

/// The statements of the commands that check and copy a store.
extension Statement {
    /// The number of connections of servers. `PostgresFavoritesStore` names them.
    static let connectedServers: Statement = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'marvel-server%'
        """

    /// Keeps writers out until the end of the transaction, and returns whether none is at work.
    static let lockOutWriters: Statement = "SELECT pg_try_advisory_xact_lock(\(Functions.historyLock))"

    // MARK: Reading

    static let longestList: Statement = "SELECT coalesce(max(cardinality(ids)), 0)::int8 FROM marvel.lists"

    static let recordedNames =
        "SELECT name, revision, digest, coalesce(owner, ''), deletion, ids FROM marvel.lists ORDER BY name"

    static let recordedFavorites =
        "SELECT list, character_id, saved_revision, snapshot FROM marvel.favorites ORDER BY list, saved_revision"

    static let recordedChanges = "SELECT list, revision, digest, change FROM marvel.changes ORDER BY list, revision"

    /// The answers to callers, with those to edits that servers of five steps have kept in a table of their own. Those with
    /// keys of the store's own cannot be asked for again.
    static let recordedAnswers = """
        SELECT principal, request_id, history, list, character_id, desired, is_favorite, revision, evicted, created_at
        FROM marvel.answers WHERE principal <> E'\\n'
        UNION ALL
        SELECT r.principal, r.request_id, m.history, lpad(to_hex(r.digest), 16, '0'), r.character_id,
            \(AnsweredEdit.stored), false, 0, NULL, r.created_at
        FROM marvel.edit_requests r, marvel.meta m
        WHERE NOT EXISTS (
            SELECT FROM marvel.answers a WHERE a.principal = r.principal AND a.request_id = r.request_id
        )
        ORDER BY created_at, principal, request_id
        """

    static let recordedPictures =
        "SELECT character_id, media_type, is_placeholder, bytes, fetched_at FROM marvel.pictures ORDER BY character_id"

    // MARK: Checking

    /// The number of favorites and changes whose list has no row.
    static let strayRecords: Statement = """
        SELECT (SELECT count(*) FROM marvel.favorites AS f
                WHERE NOT EXISTS (SELECT FROM marvel.lists AS l WHERE l.name = f.list)),
            (SELECT count(*) FROM marvel.changes AS c
                WHERE NOT EXISTS (SELECT FROM marvel.lists AS l WHERE l.name = c.list))
        """

    /// Rows of lists and favorites that differ from what was written: the list, and the character; null for the list's own.
    static let damagedRows: Statement = """
        SELECT l.name, NULL::int8 FROM marvel.lists AS l WHERE NOT \(isListWhole)
        UNION ALL
        SELECT f.list, f.character_id FROM marvel.favorites AS f WHERE NOT \(isFavoriteWhole)
        ORDER BY 1, 2
        """

    /// Lists whose requests were answered with a revision of the present history that they have not reached.
    static let answersAhead: Statement = """
        SELECT a.list, max(a.revision), coalesce(max(l.revision), max(m.base))
        FROM marvel.answers AS a JOIN marvel.meta AS m ON m.history = a.history
        LEFT JOIN marvel.lists AS l ON l.name = a.list
        GROUP BY a.list HAVING max(a.revision) > coalesce(max(l.revision), max(m.base)) ORDER BY 1 LIMIT 20
        """

    static let storeByteCount: Statement = """
        SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = 'marvel' AND c.relkind = 'r'
        """

    // MARK: Writing

    static let isEmpty: Statement = """
        SELECT NOT EXISTS (SELECT FROM marvel.lists) AND NOT EXISTS (SELECT FROM marvel.changes)
            AND NOT EXISTS (SELECT FROM marvel.answers) AND NOT EXISTS (SELECT FROM marvel.pictures)
            AND NOT EXISTS (SELECT FROM marvel.edits)
        """

    /// Parameters: history, base, capacity.
    static let setFacts: Statement = "UPDATE marvel.meta SET history = $1, base = $2, capacity = $3::int8"

    /// Parameters: names, revisions, digests, owners (empty for nobody), deletions (0 for none), ids as text.
    static let insertNames = Statement(
        name: "insert_names",
        text: """
            INSERT INTO marvel.lists (name, revision, digest, owner, deletion, ids, checksum)
            SELECT name, revision, digest, nullif(owner, ''), nullif(deletion, 0), ids::int8[],
                marvel.list_checksum_1(
                    name, nullif(owner, ''), nullif(deletion, 0), revision, digest, ids::int8[]
                )
            FROM unnest($1, $2, $3, $4, $5, $6) AS r (name, revision, digest, owner, deletion, ids)
            """
    )

    static let insertFavorites = Statement(
        name: "insert_favorites",
        text: """
            INSERT INTO marvel.favorites (list, character_id, saved_revision, snapshot, checksum)
            SELECT list, id, revision, snapshot, marvel.favorite_checksum_1(list, id, revision, snapshot)
            FROM unnest($1, $2, $3, $4) AS r (list, id, revision, snapshot)
            """
    )

    static let insertChanges = Statement(
        name: "insert_changes",
        text: """
            INSERT INTO marvel.changes (list, revision, digest, change) SELECT * FROM unnest($1, $2, $3, $4)
            """
    )

    static let insertAnswers = Statement(
        name: "insert_answers",
        text: """
            INSERT INTO marvel.answers (principal, request_id, history, list, character_id, desired, is_favorite,
                revision, evicted, created_at)
            SELECT principal, request_id, history, list, character_id, desired, is_favorite <> 0, revision, evicted,
                created_at
            FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS r (principal, request_id, history, list,
                character_id, desired, is_favorite, revision, evicted, created_at)
            ON CONFLICT DO NOTHING
            """
    )

    static let insertPicture = Statement(
        name: "insert_picture",
        text: """
            INSERT INTO marvel.pictures (character_id, media_type, is_placeholder, bytes, fetched_at)
            VALUES ($1, $2, $3::int8 <> 0, $4, $5) ON CONFLICT DO NOTHING
            """
    )

    /// Sets the number of the last deletion.
    static let setDeletions: Statement = """
        SELECT setval('marvel.deletions', greatest(d.last, 1), d.last > 0)
        FROM (SELECT coalesce(max(deletion), 0) AS last FROM marvel.lists) AS d
        """
}
