internal import MarvelDomain

/// The statements of the store. Each text is here, and nowhere else.
extension Statement {
    // MARK: Opening

    /// The maximum wait of a statement for a lock.
    static let lockTimeout = "5s"

    /// The settings of each connection, whatever the address, the role or the database says: the client's own time for a
    /// statement is a little longer than the server's. A commit that returns before it is on disk is never accepted.
    ///
    /// The plan of a prepared statement is kept. One that was made while a table was empty reads the whole table, or all rows of
    /// a range before it takes the first ones, and goes on to do so while the table grows. So no plan may do either where there
    /// is an index.
    static let session = """
        SET jit = off;
        SET enable_seqscan = off;
        SET enable_bitmapscan = off;
        SET lock_timeout = '\(lockTimeout)';
        SET statement_timeout = '10s';
        SET idle_in_transaction_session_timeout = '2s';
        SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
        """

    /// Whether the tables are there. It reads the catalog itself: `to_regclass` may answer from a cache that does not know
    /// yet what another server made while this one waited for the lock.
    static let hasSchema = Statement(
        name: "has_schema",
        text: """
            SELECT EXISTS (
                SELECT FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                WHERE n.nspname = 'marvel' AND c.relname = 'meta'
            )
            """,
        isPrepared: false
    )

    /// The facts of the store, and how the cluster differs from the one on which the history was last served.
    static let meta = Statement(
        name: "meta",
        text: """
            SELECT m.version, m.history, m.capacity, m.base, m.is_synchronous, m.system_id = here.system_id,
                sign(here.timeline - m.timeline)::int8, here.is_synchronous, here.system_id, here.timeline,
                m.minimum
            FROM marvel.meta AS m, (\(here)) AS here
            """,
        isPrepared: false
    )

    /// The cluster, its timeline, and whether a commit waits for a standby. The timeline is that of the log that is
    /// written: the control file may still name the one before.
    private static let here = """
        SELECT system_identifier AS system_id,
            ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int8 AS timeline,
            \(isSynchronous) AS is_synchronous
        FROM pg_control_system()
        """

    /// Whether a commit of the connection waits for a standby. A role or a database may have other settings than the server.
    private static let isSynchronous = """
        (current_setting('synchronous_standby_names') <> '' AND current_setting('synchronous_commit') <> 'local')
        """

    /// Notes the cluster on which the history is served now.
    static let adoptCluster = """
        UPDATE marvel.meta AS m
        SET system_id = here.system_id, timeline = here.timeline, is_synchronous = here.is_synchronous
        FROM (\(here)) AS here
        WHERE (m.system_id, m.timeline, m.is_synchronous)
            <> (here.system_id, here.timeline, here.is_synchronous)
        """

    /// Begins a new history in place of one, unless another server did, above a revision that was used.
    static func renewHistory(_ ended: HistoryID, floor: Int64) -> String {
        "SELECT marvel.renew_history_1('\(ended.value)', '\(HistoryID.random().value)', '\(floor)')"
    }

    static let schemaVersion = Statement(
        name: "schema_version",
        text: "SELECT version FROM marvel.meta FOR UPDATE",
        isPrepared: false
    )

    /// Makes the row of a new store. Parameters: version, history, capacity.
    static let insertMeta = Statement(
        name: "insert_meta",
        text: """
            INSERT INTO marvel.meta (id, version, history, base, capacity, system_id, timeline, is_synchronous)
            SELECT 1, $1::int8, $2, 0, $3::int8, here.system_id, here.timeline, here.is_synchronous
            FROM (\(here)) AS here
            """,
        isPrepared: false
    )

    /// Parameters: version, the number of steps that a server must know.
    static let setVersion = Statement(
        name: "set_version",
        text: "UPDATE marvel.meta SET version = $1::int8, minimum = greatest(minimum, $2::int8)",
        isPrepared: false
    )

    // MARK: Writing

    /// Columns: status, whether favorite, history, revision, digest, favorites that left.
    static let applyRequests = Statement(
        name: "apply_requests",
        text: "SELECT * FROM marvel.apply_requests_2($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
    )

    /// Tells the other replicas that there are changes. It is never part of a change's transaction: PostgreSQL would
    /// commit those one after the other.
    static let notify = Statement(name: "notify", text: "SELECT pg_notify('marvel', '')")

    // MARK: The feed

    static let listen = "LISTEN marvel"

    static let beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    static let commit = "COMMIT"

    /// The position of a feed: the transactions that are visible now. The other columns: history, base, the version of the
    /// row of `meta`.
    static let position = Statement(
        name: "position",
        text: "SELECT pg_current_snapshot()::text, history, base, xmin::text FROM marvel.meta"
    )

    /// All names, also of deleted lists.
    static let allLists = Statement(
        name: "all_lists",
        text: "SELECT name, revision, digest, deletion IS NULL FROM marvel.lists WHERE revision > 0",
        isPrepared: false
    )

    /// The sums of `MarkSums`: the number of names, the revisions, the digests.
    static let markSums = Statement(
        name: "mark_sums",
        text: """
            SELECT count(*), coalesce(sum(revision), 0)::text, coalesce(sum(digest), 0)::text
            FROM marvel.lists WHERE revision > 0
            """,
        isPrepared: false
    )

    /// Returns what became visible since a position, and the position for the next time: at least one row.
    ///
    /// It is planned each time: how many rows a position finds depends on the position. The last columns are the history,
    /// whether a commit waits for a standby, the base, and the version of the row of `meta`. Parameters: position, limit.
    ///
    /// Transactions that a position did not see have begun after it, or were in progress. A scan from the oldest one in
    /// progress would read every change since a long transaction began, which may be in another database.
    static let poll = Statement(
        name: "poll",
        text: """
            SELECT pg_current_snapshot()::text, c.list, c.revision, c.digest, c.change, m.history, \(isSynchronous),
                m.base, m.xmin::text
            FROM marvel.meta AS m LEFT JOIN (
                (SELECT list, revision, digest, change FROM marvel.changes
                WHERE xid >= pg_snapshot_xmax($1::text::pg_snapshot) ORDER BY xid LIMIT $2)
                UNION ALL
                (SELECT list, revision, digest, change FROM marvel.changes
                WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip($1::text::pg_snapshot))) LIMIT $2)
            ) AS c ON true
            WHERE m.id = 1 ORDER BY c.list, c.revision LIMIT $2
            """,
        isPrepared: false
    )

    /// Whether a list has another change at a revision. Parameters: lists, revisions, digests.
    static let hasOtherChanges = Statement(
        name: "has_other_changes",
        text: """
            SELECT EXISTS (
                SELECT FROM unnest($1, $2, $3) AS known (list, revision, digest)
                JOIN marvel.changes AS c ON c.list = known.list COLLATE "C" AND c.revision = known.revision
                WHERE c.digest <> known.digest
            )
            """,
        isPrepared: false
    )

    /// Returns the changes of some lists after a revision of each, with the history. Parameters: lists, revisions, limit.
    static let changesOfLists = Statement(
        name: "changes_of_lists",
        text: """
            SELECT c.list, c.revision, c.digest, c.change, (SELECT history FROM marvel.meta)
            FROM unnest($1, $2) AS known (list, revision)
            JOIN marvel.changes AS c ON c.list = known.list COLLATE "C" AND c.revision > known.revision
            ORDER BY c.list, c.revision LIMIT $3
            """
    )

    // MARK: Reading

    /// Whether a row of `marvel.lists AS l` is as it was written.
    static let isListWhole =
        "l.checksum = marvel.list_checksum_1(l.name, l.owner, l.deletion, l.revision, l.digest, l.ids)"

    /// Whether a row of `marvel.favorites AS f` is as it was written.
    static let isFavoriteWhole =
        "f.checksum = marvel.favorite_checksum_1(f.list, f.character_id, f.saved_revision, f.snapshot)"

    /// Columns: history, capacity, revision, snapshot, character, whether the favorite is as it was written, whether the list
    /// is, its ids; one row at least.
    static let snapshot = Statement(
        name: "snapshot",
        text: """
            SELECT m.history, m.capacity, CASE WHEN l.revision > 0 THEN l.revision ELSE m.base END, f.snapshot,
                f.character_id, \(isFavoriteWhole), coalesce(\(isListWhole), true), coalesce(l.ids, '{}')
            FROM marvel.meta AS m LEFT JOIN marvel.lists AS l ON l.name = $1
            LEFT JOIN marvel.favorites AS f ON f.list = $1
            WHERE m.id = 1 ORDER BY f.saved_revision
            """
    )

    /// Columns: the list's revision, the oldest change that is kept, revision, change, history, whether the change is as it was
    /// written, as far as the one before it is kept; one row at least.
    static let changes = Statement(
        name: "changes",
        text: """
            SELECT CASE WHEN l.revision > 0 THEN l.revision ELSE m.base END,
                (SELECT min(revision) FROM marvel.changes WHERE list = $1), c.revision, c.change, m.history,
                coalesce(c.digest = marvel.next_digest_1(c.previous, c.revision, c.change), true)
            FROM marvel.meta AS m LEFT JOIN marvel.lists AS l ON l.name = $1
            LEFT JOIN LATERAL (
                SELECT n.revision, n.change, n.digest, (
                    SELECT p.digest FROM marvel.changes AS p WHERE p.list = $1 AND p.revision = n.revision - 1
                ) AS previous
                FROM marvel.changes AS n WHERE n.list = $1 AND n.revision > $2
                ORDER BY n.revision LIMIT $3
            ) AS c ON true
            WHERE m.id = 1 ORDER BY c.revision
            """
    )

    /// A page of the lists that exist, each with the history, and whether it is as it was written. `~` is above every letter
    /// of a name.
    static let lists = Statement(
        name: "lists",
        text: """
            SELECT name, revision, ids, (SELECT history FROM marvel.meta), \(isListWhole) FROM marvel.lists AS l
            WHERE deletion IS NULL AND name > $1 AND name >= $2 AND name < $2 || '~' ORDER BY name LIMIT $3
            """
    )

    // MARK: Characters

    /// Those of some characters that are on a list. It is planned each time, by their number. Parameter: characters.
    static let favoritesAmong = Statement(
        name: "favorites_among",
        text: """
            SELECT id FROM unnest($1) AS wanted (id)
            WHERE EXISTS (SELECT FROM marvel.favorites WHERE character_id = id)
            """,
        isPrepared: false
    )

    /// It looks up one character after the other, because most are on many lists. It is planned each time: the plan depends on
    /// the number of characters. Parameters: characters to leave out, limit.
    static let favoriteCharacters = Statement(
        name: "favorite_characters",
        text: """
            WITH RECURSIVE held (id) AS (
                SELECT min(character_id) FROM marvel.favorites
                UNION ALL
                SELECT (SELECT min(n.character_id) FROM marvel.favorites AS n WHERE n.character_id > held.id)
                FROM held WHERE held.id IS NOT NULL
            )
            SELECT whole.snapshot FROM held CROSS JOIN LATERAL (
                SELECT f.snapshot FROM marvel.favorites AS f
                WHERE f.character_id = held.id AND \(isFavoriteWhole) LIMIT 1
            ) AS whole
            WHERE NOT EXISTS (SELECT FROM unnest($1) AS excluded (id) WHERE excluded.id = held.id)
            LIMIT $2
            """,
        isPrepared: false
    )

    /// The characters on a list whose picture is in the database.
    static let formerPictureIDs = Statement(
        name: "former_picture_ids",
        text: """
            SELECT character_id FROM marvel.pictures AS p
            WHERE EXISTS (SELECT FROM marvel.favorites AS f WHERE f.character_id = p.character_id)
            """
    )

    /// Parameter: characters.
    static let formerPictures = Statement(
        name: "former_pictures",
        text: """
            SELECT character_id, media_type, is_placeholder, bytes, fetched_at FROM marvel.pictures
            WHERE character_id = ANY ($1)
            """
    )

    // MARK: Old records

    /// Whether this replica is the one that deletes old records, until its connection ends.
    static let trySweepLock = Statement(
        name: "try_sweep_lock",
        text: "SELECT pg_try_advisory_lock(\(Functions.sweepLock))",
        isPrepared: false
    )

    /// Deletes the oldest answers up to a number. It looks at a few of them only, so that it never takes long, and passes over
    /// those that another server deletes now.
    ///
    /// It returns the number before that of the first answer which is left of them, and the number of the newest. Whoever begins
    /// there the next time does not walk over those that are deleted and not vacuumed. Parameters: that number, how many to look
    /// at, the number of the last answer that may be deleted.
    static let pruneAnswers = Statement(
        name: "prune_answers",
        text: """
            WITH oldest AS MATERIALIZED (
                SELECT number FROM marvel.answers WHERE number > $1 ORDER BY number LIMIT $2
            ), locked AS MATERIALIZED (
                SELECT ctid FROM marvel.answers WHERE number > $1 AND number <= $3 ORDER BY number
                LIMIT $2 FOR UPDATE SKIP LOCKED
            ), deleted AS (
                DELETE FROM marvel.answers WHERE ctid = ANY (ARRAY(SELECT ctid FROM locked)) RETURNING number
            )
            SELECT coalesce(
                (SELECT min(number) - 1 FROM oldest WHERE number NOT IN (SELECT number FROM deleted)),
                (SELECT max(number) FROM oldest), $1
            ), coalesce((SELECT max(number) FROM marvel.answers), 0)
            """,
        isPrepared: false
    )

    /// Parameters: the number of deletions whose names are kept, the limit.
    static let dropDeletedNames = Statement(
        name: "drop_deleted_names",
        text: "SELECT marvel.drop_deleted_names_2($1, $2)"
    )
}
