/// The SQL that fills an empty store in a database with many rows at once.
package enum LargeStore {
    /// The name of a list in the middle of a store.
    package static func list(_ count: Int) -> String { name(count / 2) }

    /// Returns the name of a list, from 1 on.
    package static func name(_ number: Int) -> String {
        let digits = "\(number)"
        return "list-" + String(repeating: "0", count: 7 - digits.count) + digits
    }

    /// The number of changes in the log of the list `long`.
    package static let longLog = 1_000

    /// Returns SQL that makes lists of the characters 1 and 2, with two changes and an answer of an hour ago each, a tenth as
    /// many names of deleted lists, and the list `long`.
    ///
    /// - Parameter count: The number of lists, up to 9,999,999.
    /// - Returns: The SQL, for a store with a capacity of 2.
    package static func filling(_ count: Int) -> String {
        """
        CREATE TEMP TABLE model AS
        SELECT c.*, marvel.next_digest_1(d1, 2, c2) AS d2, marvel.next_digest_1(d1, 2, c3) AS d3 FROM (
            SELECT b.*, marvel.next_digest_1(0, 1, c1) AS d1 FROM (
                SELECT s1, s2, '{"saved":'::bytea || s1 || '}'::bytea AS c1, '{"saved":'::bytea || s2 || '}'::bytea AS c2,
                    '{"cleared":['::bytea || s1 || '],"deleted":true}'::bytea AS c3,
                    '{"removed":'::bytea || s1 || '}'::bytea AS c4
                FROM (SELECT \(favorite(1)) AS s1, \(favorite(2)) AS s2) AS a
            ) AS b
        ) AS c;

        INSERT INTO marvel.lists (name, owner, revision, digest, ids, checksum)
        SELECT name, owner, 2, d2, '{1,2}', marvel.list_checksum_1(name, owner, NULL, 2, d2, '{1,2}')
        FROM model, LATERAL (
            SELECT 'list-' || lpad(n::text, 7, '0') AS name, 'owner-' || n / 10 AS owner FROM generate_series(1, \(count)) AS n
        ) AS l;

        INSERT INTO marvel.favorites (list, character_id, saved_revision, snapshot, checksum)
        SELECT l.name, k, k, s, marvel.favorite_checksum_1(l.name, k, k, s)
        FROM marvel.lists AS l, model, LATERAL (VALUES (1, s1), (2, s2)) AS f (k, s) WHERE l.name LIKE 'list-%';

        INSERT INTO marvel.changes (list, revision, digest, change)
        SELECT l.name, k, d, c
        FROM marvel.lists AS l, model, LATERAL (VALUES (1, d1, c1), (2, d2, c2)) AS f (k, d, c) WHERE l.name LIKE 'list-%';

        INSERT INTO marvel.answers (principal, request_id, history, list, character_id, desired, is_favorite, revision,
            created_at)
        SELECT '', 'r-' || l.name, m.history, l.name, 2, 1, true, 2, extract(epoch FROM now())::int8 - 3600
        FROM marvel.lists AS l, marvel.meta AS m WHERE l.name LIKE 'list-%';

        INSERT INTO marvel.lists (name, deletion, revision, digest, ids, checksum)
        SELECT name, deletion, 2, d3, '{}', marvel.list_checksum_1(name, NULL, deletion, 2, d3, '{}')
        FROM model, LATERAL (
            SELECT 'gone-' || n AS name, nextval('marvel.deletions') AS deletion FROM generate_series(1, \(count) / 10) AS n
        ) AS l;

        INSERT INTO marvel.changes (list, revision, digest, change)
        SELECT l.name, k, d, c
        FROM marvel.lists AS l, model, LATERAL (VALUES (1, d1, c1), (2, d3, c3)) AS f (k, d, c)
        WHERE l.name LIKE 'gone-%';

        DO $$ DECLARE
            v_digest int8 := 0;
            v_model model%ROWTYPE;
            v_change bytea;
        BEGIN
            SELECT * INTO v_model FROM model;
            FOR i IN 1 .. \(longLog) LOOP
                v_change := CASE i % 2 WHEN 1 THEN v_model.c1 ELSE v_model.c4 END;
                v_digest := marvel.next_digest_1(v_digest, i, v_change);
                INSERT INTO marvel.changes (list, revision, digest, change) VALUES ('long', i, v_digest, v_change);
            END LOOP;
            INSERT INTO marvel.lists (name, revision, digest, ids, checksum)
                VALUES ('long', \(longLog), v_digest, '{}',
                    marvel.list_checksum_1('long', NULL, NULL, \(longLog), v_digest, '{}'));
        END $$;
        DROP TABLE model;
        """
    }

    /// The JSON of a favorite in SQL.
    private static func favorite(_ id: Int) -> String {
        """
        convert_to('{"character":{"comics":0,"description":"","events":0,"id":\(id),"name":"Character \(id)","series":0,'
            || '"stories":0,"urls":[]},"savedAt":{"nanoseconds":0,"seconds":1700000000}}', 'UTF8')
        """
    }
}
