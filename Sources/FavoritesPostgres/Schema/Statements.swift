internal import MarvelDomain

/// The statements that are long, or used in several places.
extension Statement {
    // MARK: Opening

    static let lockTimeout = "5s"

    /// The settings of each connection, whatever the address, the role or the database sets. The client's own timeout is a little
    /// longer than `statement_timeout`. The plan of a prepared statement is kept, also one for an empty table, so no plan may read a
    /// whole table. A commit never returns before it is on disk, and only a warning tells that it is on no standby. A statement
    /// that has waited for a lock has to see what was committed meanwhile.
    static let session = """
        SET default_transaction_isolation = 'read committed';
        SET client_min_messages = warning;
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

    /// `to_regclass` may answer from a cache that lacks the tables which another server made while this one waited for a lock.
    static let hasSchema: Statement = """
        SELECT EXISTS (
            SELECT FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = 'marvel' AND c.relname = 'meta'
        )
        """

    static let meta: Statement = """
        SELECT m.version, m.history, m.capacity, m.is_synchronous, m.system_id = here.system_id,
            sign(here.timeline - m.timeline)::int8, here.is_synchronous, here.system_id, here.timeline, m.minimum
        FROM marvel.meta AS m, (\(here)) AS here
        """

    /// The timeline is that of the log that is written: the control file may still name the one before.
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

    static let adoptCluster = """
        UPDATE marvel.meta AS m
        SET system_id = here.system_id, timeline = here.timeline, is_synchronous = here.is_synchronous
        FROM (\(here)) AS here
        WHERE (m.system_id, m.timeline, m.is_synchronous)
            <> (here.system_id, here.timeline, here.is_synchronous)
        """

    static func renewHistory(_ ended: HistoryID, floor: Int64) -> String {
        "SELECT marvel.renew_history_1('\(ended.value)', '\(HistoryID.random().value)', '\(floor)')"
    }

    /// Parameters: history, capacity.
    static let insertMeta: Statement = """
        INSERT INTO marvel.meta (id, version, history, base, capacity, system_id, timeline, is_synchronous)
        SELECT 1, 1, $1, 0, $2::int8, here.system_id, here.timeline, here.is_synchronous
        FROM (\(here)) AS here
        """

    /// Parameters: version, the number of steps that a server must know.
    static let setVersion: Statement =
        "UPDATE marvel.meta SET version = $1::int8, minimum = greatest(minimum, $2::int8)"

    // MARK: Writing

    // A group is several statements of one transaction. Each has its own snapshot, so the comparison sees what others committed
    // during a wait for a lock. Lists are made and locked in the order of their names, and answers are written in that of their
    // keys, so that groups never deadlock.

    /// Keeps others from beginning a new history until the transaction ends.
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

    static let lockLists = Statement(
        name: "lock_lists",
        text: "SELECT FROM marvel.lists WHERE name = ANY ($1) ORDER BY name FOR NO KEY UPDATE"
    )

    /// Keeps others from making lists of owners until the transaction ends.
    static let lockOwners = Statement(
        name: "lock_owners",
        text: "SELECT pg_advisory_xact_lock(\(Functions.ownerLock))"
    )

    /// Compares the lists of a group with those on which it was decided, and changes those that are the same and have no request
    /// that was answered before.
    ///
    /// Parameters: history, time; of each list: name, revision and digest before, state (0: only compare, 1: write, 2: delete),
    /// revision and digest after, ids, owner, checksum, and the number of lists that its owner may have before it is made; of each
    /// request: principal, id, list, character, kind, flag, revision (null if no answer is kept), evicted favorites; of each
    /// change: list, revision, digest, text; of each favorite that leaves: list, character; of each one that is saved: list,
    /// character, revision, snapshot, checksum.
    ///
    /// `IS TRUE` makes the planner hash the names instead of joining them.
    ///
    /// Columns: a `GroupCommit.RowKind`, a place from 1; history, list, character, kind, flag, revision or base, evicted favorites;
    /// the transaction.
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
            SELECT 0::int8, 0::int8, m.history, NULL::text, NULL::int8, NULL::int2, NULL::bool, m.base, NULL::bytea,
                pg_current_xact_id_if_assigned()
            FROM marvel.meta AS m WHERE m.id = 1
            UNION ALL
            SELECT 1, place, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM won
            UNION ALL
            SELECT 2, place, history, list, character_id, desired, is_favorite, revision, evicted, NULL FROM answered
            """
    )

    /// The same for one change of a list that exists before and after it: one statement takes half of the time of several. After a
    /// wait for the row, PostgreSQL compares the row again, and all else depends on that.
    ///
    /// Parameters: history, list, revision and digest before, revision and digest after, ids, checksum, text of the change, the
    /// characters that leave; the character that is saved, its snapshot and its checksum, or nulls; principal, id, character,
    /// kind, flag and evicted favorites of the request; time; owner of the list. Columns: 1 if the change is made, 0 if it is not;
    /// the transaction.
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
                SELECT $14, $15, $1, $2, $16, $17, $18 <> 0, $5, $19, $20 FROM list
            )
            SELECT count(*), pg_current_xact_id_if_assigned() FROM list
            """
    )

    /// Deletes the rows of `makeNames` whose lists were not made. Parameter: names.
    static let deleteUnusedNames = Statement(
        name: "delete_unused_names",
        text: "DELETE FROM marvel.lists WHERE name = ANY ($1) AND revision = 0"
    )

    /// Parameters: lists, and a revision of each up to which changes are deleted.
    static let pruneChanges = Statement(
        name: "prune_changes",
        text: """
            DELETE FROM marvel.changes AS c USING unnest($1, $2) AS p (list, revision)
            WHERE c.list = p.list COLLATE "C" AND c.revision <= p.revision
            """
    )

    // MARK: The feed

    /// A session that has the lock of feeds may still try to have it alone.
    static let listen = "LISTEN marvel; SELECT pg_advisory_lock_shared(\(Functions.feedLock))"

    static let beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    static let commit = "COMMIT"

    /// Columns: the visible transactions, history, base, the version of the row of `meta`, the capacity of lists.
    static let position = Statement(
        name: "position",
        text: "SELECT pg_current_snapshot()::text, history, base, xmin::text, capacity::int8 FROM marvel.meta"
    )

    static let allLists: Statement =
        "SELECT name, revision, digest, deletion IS NULL FROM marvel.lists WHERE revision > 0"

    static let markSums: Statement = """
        SELECT count(*), coalesce(sum(revision), 0)::text, coalesce(sum(digest), 0)::text
        FROM marvel.lists WHERE revision > 0
        """

    /// The changes that became visible since a position, one row at least. A scan from the oldest transaction in progress would
    /// read every change since a long transaction began, which may be in another database. So those in progress are looked up.
    ///
    /// Parameters: position, limit, transactions to leave out. Columns: the next position; list, revision, digest and text of a change;
    /// history, whether a commit waits for a standby, base, the version of the row of `meta`, the capacity of lists, whether no other
    /// feed is connected.
    static let poll: Statement = """
        SELECT pg_current_snapshot()::text, c.list, c.revision, c.digest, c.change, m.history, \(isSynchronous),
            m.base, m.xmin::text, m.capacity::int8, (
                SELECT CASE WHEN pg_try_advisory_lock(\(Functions.feedLock))
                    THEN pg_advisory_unlock(\(Functions.feedLock)) ELSE false END
            )
        FROM marvel.meta AS m LEFT JOIN (
            (SELECT list, revision, digest, change FROM marvel.changes
            WHERE xid >= pg_snapshot_xmax($1::text::pg_snapshot) AND xid <> ALL ($3) ORDER BY xid LIMIT $2)
            UNION ALL
            (SELECT list, revision, digest, change FROM marvel.changes
            WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip($1::text::pg_snapshot))) AND xid <> ALL ($3) LIMIT $2)
        ) AS c ON true
        WHERE m.id = 1 ORDER BY c.list, c.revision LIMIT $2
        """

    /// The lists, of those named, whose rows do not match their checksums, or have no revision or name any more. Parameter: names.
    static let damagedLists: Statement = """
        SELECT w.name FROM unnest($1) AS w (name) LEFT JOIN marvel.lists AS l ON l.name = w.name COLLATE "C"
        WHERE (l.revision > 0 AND \(isListWhole)) IS NOT TRUE
            AND (l.name IS NOT NULL OR EXISTS (SELECT FROM marvel.favorites AS f WHERE f.list = w.name COLLATE "C"))
        """

    /// Parameters: lists, revisions, digests.
    static let hasOtherChanges: Statement = """
        SELECT EXISTS (
            SELECT FROM unnest($1, $2, $3) AS known (list, revision, digest)
            JOIN marvel.changes AS c ON c.list = known.list COLLATE "C" AND c.revision = known.revision
            WHERE c.digest <> known.digest
        )
        """

    /// Parameters: lists, a revision of each after which its changes are wanted, limit.
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

    /// A condition on a row of `marvel.lists AS l`.
    static let isListWhole =
        "l.checksum = marvel.list_checksum_1(l.name, l.owner, l.deletion, l.revision, l.digest, l.ids)"

    /// A condition on a row of `marvel.favorites AS f`.
    static let isFavoriteWhole =
        "f.checksum = marvel.favorite_checksum_1(f.list, f.character_id, f.saved_revision, f.snapshot)"

    /// A row for each favorite of each list, and one for a list without favorites. Parameter: names. Columns: place of the name, from
    /// 1; history, base, capacity; revision (null for an unknown name), digest, ids, owner, whether the list exists, whether its row
    /// matches its checksum; character, snapshot, whether the favorite matches its checksum.
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

    /// Parameters: owners, the limit up to which lists are counted.
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

    /// One row at least. Parameters: list, revision, limit. Columns: the list's revision; revision and text of a change; history;
    /// whether the change matches its digest, if the one before it is kept.
    static let changes = Statement(
        name: "changes",
        text: """
            SELECT CASE WHEN l.revision > 0 THEN l.revision ELSE m.base END, c.revision, c.change, m.history,
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

    /// A page of the existing lists. `~` is above every letter of a name. Parameters: the last name, the prefix, limit.
    static let lists = Statement(
        name: "lists",
        text: """
            SELECT name, revision, ids, (SELECT history FROM marvel.meta), \(isListWhole) FROM marvel.lists AS l
            WHERE deletion IS NULL AND name > $1 AND name >= $2 AND name < $2 || '~' ORDER BY name LIMIT $3
            """
    )

    // MARK: Characters

    static let favoritesAmong: Statement = """
        SELECT id FROM unnest($1) AS wanted (id)
        WHERE EXISTS (SELECT FROM marvel.favorites WHERE character_id = id)
        """

    /// It looks up one character after the other, because most are on many lists. Parameters: characters to leave out, limit.
    static let favoriteCharacters: Statement = """
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
        """

    static let formerPictureIDs: Statement = """
        SELECT character_id FROM marvel.pictures AS p
        WHERE EXISTS (SELECT FROM marvel.favorites AS f WHERE f.character_id = p.character_id)
        """

    static let formerPictures: Statement = """
        SELECT character_id, media_type, is_placeholder, bytes, fetched_at FROM marvel.pictures
        WHERE character_id = ANY ($1)
        """

    // MARK: Old records

    /// Deletes some of the oldest answers, without those that another server deletes now.
    ///
    /// Parameters: the number of an answer up to which all are deleted, how many to look at, the last one that may be deleted.
    /// Columns: the first parameter for the next time, with which it does not read deleted rows that are not vacuumed; the newest
    /// answer.
    static let pruneAnswers: Statement = """
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
        """

    /// Parameters: the number of deletions whose names are kept, limit.
    static let dropDeletedNames: Statement = "SELECT marvel.drop_deleted_names_2($1, $2)"
}
