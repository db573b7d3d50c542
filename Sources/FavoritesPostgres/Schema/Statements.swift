internal import MarvelDomain

/// The statements of the store. Each text is here, and nowhere else.
extension Statement {
    // MARK: Opening

    /// The maximum wait of a statement for a lock.
    static let lockTimeout = "5s"

    /// The settings of each connection, whatever the address, the role or the database says: the client's own time for a
    /// statement is a little longer than the server's. (The statements of a group share the client's time.) A commit that returns before it is on disk is never accepted.
    ///
    /// The plan of a prepared statement is kept. One that was made while a table was empty reads the whole table, or all rows of
    /// a range before it takes the first ones, and continues to do so while the table grows. So no plan may do either where there
    /// is an index, and what is joined with a table is looked up row by row.
    static let session = """
        SET jit = off;
        SET enable_seqscan = off;
        SET enable_bitmapscan = off;
        SET enable_mergejoin = off;
        SET enable_hashjoin = off;
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

    // A group is decided by the engine, on lists that may have changed meanwhile. It is sent as several statements of one
    // transaction. Each has a snapshot of its own, so the one that compares sees what others committed while a lock was waited
    // for. Lists are made and locked in the order of their names, and answers are written in that of their keys, so that groups
    // never wait for each other in a circle.

    /// The beginning and the end of a transaction whose lists stay locked between two round trips.
    static let begin = Statement(name: "begin", text: "BEGIN", isPrepared: false)
    static let end = Statement(name: "end", text: "COMMIT", isPrepared: false)

    /// Keeps the history from ending until the transaction does.
    static let lockHistory = Statement(
        name: "lock_history",
        text: "SELECT pg_advisory_xact_lock_shared(\(Functions.historyLock))"
    )

    /// Makes rows for unknown names: those of deleted lists, without a revision. Parameter: names, in their order.
    static let makeNames = Statement(
        name: "make_names",
        text: """
            INSERT INTO marvel.lists (name, deletion, revision, digest, ids, checksum)
            SELECT w.name, 0, 0, 0, '{}'::int8[], marvel.list_checksum_1(w.name, NULL, 0, 0, 0, '{}')
            FROM unnest($1) WITH ORDINALITY AS w (name, place)
            WHERE NOT EXISTS (SELECT FROM marvel.lists AS l WHERE l.name = w.name COLLATE "C")
            ORDER BY w.place ON CONFLICT DO NOTHING
            """
    )

    /// Parameter: names.
    static let lockLists = Statement(
        name: "lock_lists",
        text: "SELECT FROM marvel.lists WHERE name = ANY ($1) ORDER BY name FOR NO KEY UPDATE"
    )

    /// Keeps others from making lists of owners until the transaction ends.
    static let lockOwners = Statement(
        name: "lock_owners",
        text: "SELECT pg_advisory_xact_lock(\(Functions.ownerLock))"
    )

    /// Compares the lists of a group with those on which it was decided, and writes the changes of those that are the same. A list
    /// with a request that was answered before is left as it is.
    ///
    /// Parameters: history, time; of each list: name, revision and digest before, state (0: only compare, 1: write, 2: delete),
    /// revision and digest after, ids, owner, checksum, and the number of lists that its owner may have before it is made; of each
    /// request: principal, id, list, character, kind, flag, revision (null if no answer is kept), evicted favorites; of each
    /// change: list, revision, digest, text; of each favorite that leaves: list, character; of each one that is saved: list,
    /// character, revision, snapshot, checksum.
    ///
    /// `IS TRUE` makes the planner hash the names, and not join them.
    ///
    /// Columns: a `GroupCommit.RowKind`, a place from 1; history, list, character, kind, flag, revision or base, evicted favorites.
    static let commitGroup = Statement(
        name: "commit_group",
        text: """
            WITH wanted AS MATERIALIZED (
                SELECT * FROM unnest($3, $4, $5, $6, $7, $8, $9, $10, $11, $12) WITH ORDINALITY
                    AS w (name, expected, expected_digest, state, next, digest, ids, owner, checksum, room, place)
            ), request AS MATERIALIZED (
                SELECT * FROM unnest($13, $14, $15, $16, $17, $18, $19, $20) WITH ORDINALITY
                    AS r (principal, id, list, character_id, desired, flag, revision, evicted, place)
            ), answered AS MATERIALIZED (
                SELECT r.place, r.list AS wanted_list, a.history, a.list, a.character_id, a.desired, a.is_favorite, a.revision,
                    a.evicted
                FROM request AS r JOIN marvel.answers AS a
                    ON a.principal = r.principal COLLATE "C" AND a.request_id = r.id COLLATE "C"
            ), won AS MATERIALIZED (
                SELECT w.*, CASE w.state WHEN 2 THEN nextval('marvel.deletions') END AS deletion
                FROM wanted AS w JOIN marvel.meta AS m ON m.id = 1 AND m.history = $1
                LEFT JOIN marvel.lists AS l ON l.name = w.name COLLATE "C"
                WHERE CASE WHEN l.revision > 0 THEN l.revision = w.expected AND l.digest = w.expected_digest
                        ELSE m.base = w.expected END
                    AND (w.state = 0 OR l.name IS NOT NULL)
                    AND w.name NOT IN (SELECT wanted_list FROM answered WHERE wanted_list IS NOT NULL)
                    AND (w.room IS NULL
                        OR w.room >= (SELECT count(*) FROM marvel.lists AS o WHERE o.owner = w.owner COLLATE "C"))
            ), list AS (
                UPDATE marvel.lists AS l
                SET owner = won.owner, deletion = won.deletion, revision = won.next, digest = won.digest,
                    ids = won.ids::int8[], checksum = coalesce(won.checksum,
                        marvel.list_checksum_1(won.name, NULL, won.deletion, won.next, won.digest, '{}'))
                FROM won WHERE l.name = won.name COLLATE "C" AND won.state > 0
            ), change AS (
                INSERT INTO marvel.changes (list, revision, digest, change)
                SELECT * FROM unnest($21, $22, $23, $24) AS c (list, revision, digest, change)
                WHERE (c.list IN (SELECT name FROM won)) IS TRUE
            ), left_favorite AS (
                DELETE FROM marvel.favorites AS f USING unnest($25, $26) AS d (list, character_id)
                WHERE f.list = d.list COLLATE "C" AND f.character_id = d.character_id AND (d.list IN (SELECT name FROM won)) IS TRUE
            ), saved_favorite AS (
                INSERT INTO marvel.favorites AS f (list, character_id, saved_revision, snapshot, checksum)
                SELECT * FROM unnest($27, $28, $29, $30, $31) AS s (list, character_id, revision, snapshot, checksum)
                WHERE (s.list IN (SELECT name FROM won)) IS TRUE
                ON CONFLICT (list, character_id) DO UPDATE SET saved_revision = excluded.saved_revision,
                    snapshot = excluded.snapshot, checksum = excluded.checksum
            ), answer AS (
                INSERT INTO marvel.answers (
                    principal, request_id, history, list, character_id, desired, is_favorite, revision, evicted, created_at
                )
                SELECT r.principal, r.id, $1, r.list, r.character_id, r.desired, r.flag <> 0, r.revision, r.evicted, $2
                FROM request AS r WHERE r.revision IS NOT NULL AND (r.list IN (SELECT name FROM won)) IS TRUE
                ORDER BY r.principal COLLATE "C", r.id COLLATE "C"
            )
            SELECT 0::int8, 0::int8, m.history, NULL::text, NULL::int8, NULL::int2, NULL::bool, m.base, NULL::bytea
            FROM marvel.meta AS m WHERE m.id = 1
            UNION ALL
            SELECT 1, place, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM won
            UNION ALL
            SELECT 2, place, history, list, character_id, desired, is_favorite, revision, evicted FROM answered
            """
    )

    /// The same for one change of a list that exists before and after it, in one statement: half of the time of several. It locks
    /// the list itself. It may see a list as it was before it waited for its row: then the row is compared once more, and all else
    /// depends on that.
    ///
    /// Parameters: history, list, revision and digest before, revision and digest after, ids, checksum, text of the change, the
    /// characters that leave; the character that is saved, its snapshot and its checksum, or nulls; principal, id, character,
    /// kind, flag and evicted favorites of the request; time; owner of the list. Column: 1 if the change is made, 0 if it is not.
    static let commitOne = Statement(
        name: "commit_one",
        text: """
            WITH list AS (
                UPDATE marvel.lists SET revision = $5, digest = $6, ids = $7, checksum = $8, owner = $21
                WHERE name = $2 AND revision = $3 AND digest = $4 AND deletion IS NULL
                    AND (SELECT history FROM marvel.meta WHERE id = 1) = $1
                    AND NOT EXISTS (SELECT FROM marvel.answers WHERE principal = $14 AND request_id = $15)
                RETURNING 1
            ), change AS (
                INSERT INTO marvel.changes (list, revision, digest, change) SELECT $2, $5, $6, $9 FROM list
            ), left_favorite AS (
                DELETE FROM marvel.favorites WHERE list = $2 AND character_id = ANY ($10) AND EXISTS (SELECT FROM list)
            ), saved_favorite AS (
                INSERT INTO marvel.favorites AS f (list, character_id, saved_revision, snapshot, checksum)
                SELECT $2, $11, $5, $12, $13 FROM list WHERE $11 IS NOT NULL
                ON CONFLICT (list, character_id) DO UPDATE SET saved_revision = excluded.saved_revision,
                    snapshot = excluded.snapshot, checksum = excluded.checksum
            ), answer AS (
                INSERT INTO marvel.answers (
                    principal, request_id, history, list, character_id, desired, is_favorite, revision, evicted, created_at
                )
                SELECT $14, $15, $1, $2, $16, $17::int2, $18 <> 0, $5, $19, $20 FROM list
            )
            SELECT count(*) FROM list
            """
    )

    /// Deletes the rows of names that were made in the same transaction, and whose lists were not. Parameter: names.
    static let deleteUnusedNames = Statement(
        name: "delete_unused_names",
        text: "DELETE FROM marvel.lists WHERE name = ANY ($1) AND revision = 0"
    )

    /// Deletes changes that need not be kept. Parameters: lists, and a revision of each.
    static let pruneChanges = Statement(
        name: "prune_changes",
        text: """
            DELETE FROM marvel.changes AS c USING unnest($1, $2) AS p (list, revision)
            WHERE c.list = p.list COLLATE "C" AND c.revision <= p.revision
            """
    )

    /// Tells the other replicas that there are changes. It is never part of a change's transaction: PostgreSQL would
    /// commit those one after the other.
    static let notify = Statement(name: "notify", text: "SELECT pg_notify('marvel', '')")

    // MARK: The feed

    static let listen = "LISTEN marvel"

    static let beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    static let commit = "COMMIT"

    static let rollback = "ROLLBACK"

    /// The position of a feed: the transactions that are visible now. The other columns: history, base, the version of the
    /// row of `meta`, and the capacity of lists.
    static let position = Statement(
        name: "position",
        text: "SELECT pg_current_snapshot()::text, history, base, xmin::text, capacity::int8 FROM marvel.meta"
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
    /// whether a commit waits for a standby, the base, the version of the row of `meta`, and the capacity of lists. Parameters:
    /// position, limit.
    ///
    /// Transactions that a position did not see have begun after it, or were in progress. A scan from the oldest one in
    /// progress would read every change since a long transaction began, which may be in another database.
    static let poll = Statement(
        name: "poll",
        text: """
            SELECT pg_current_snapshot()::text, c.list, c.revision, c.digest, c.change, m.history, \(isSynchronous),
                m.base, m.xmin::text, m.capacity::int8
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

    /// Whether a row of `marvel.lists AS l` matches its checksum.
    static let isListWhole =
        "l.checksum = marvel.list_checksum_1(l.name, l.owner, l.deletion, l.revision, l.digest, l.ids)"

    /// Whether a row of `marvel.favorites AS f` matches its checksum.
    static let isFavoriteWhole =
        "f.checksum = marvel.favorite_checksum_1(f.list, f.character_id, f.saved_revision, f.snapshot)"

    /// Lists with their favorites: a row for each favorite, and one at least. Parameter: names. Columns: place of the name, from 1; history, base,
    /// capacity; revision (null for an unknown name), digest, ids, owner, whether the list exists, whether its row is as it was
    /// written; character, snapshot, whether the favorite matches its checksum.
    static let readLists = Statement(
        name: "read_lists",
        text: """
            SELECT w.place, m.history, m.base, m.capacity::int8, l.revision, l.digest, l.ids, l.owner, l.deletion IS NULL,
                \(isListWhole), f.character_id, f.snapshot, \(isFavoriteWhole)
            FROM marvel.meta AS m LEFT JOIN unnest($1) WITH ORDINALITY AS w (name, place) ON true
            LEFT JOIN marvel.lists AS l ON l.name = w.name COLLATE "C" AND l.revision > 0
            LEFT JOIN marvel.favorites AS f ON f.list = w.name COLLATE "C"
            WHERE m.id = 1 ORDER BY w.place, f.saved_revision
            """
    )

    /// The numbers of lists of owners, up to a limit. Parameters: owners, the limit.
    static let countOwned = Statement(
        name: "count_owned",
        text: """
            SELECT w.owner, (
                SELECT count(*) FROM (
                    SELECT FROM marvel.lists AS l WHERE l.owner = w.owner COLLATE "C" LIMIT $2
                ) AS counted
            ) FROM unnest($1) AS w (owner)
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

    /// A page of the lists that exist, each with the history, and whether it matches its checksum. `~` is above every letter
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
