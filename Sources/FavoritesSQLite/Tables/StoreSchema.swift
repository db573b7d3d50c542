internal import MarvelDomain
internal import SQLiteFiles

enum StoreSchema {
    /// "Mrpc", in the file's header. It distinguishes a favorites store from another program's database.
    static let applicationID: Int32 = 0x4D72_7063

    static var version: Int { migrations.newest }

    /// The version that drops the table of pictures. A store whose pictures cannot be moved stays at the version
    /// before, and is served like any other.
    static let versionWithoutPictures = 8

    static let migrations = SchemaMigrations(
        applicationID: applicationID,
        [version1, version2, version3, version4, version5, version6, version7, version8],
        functions: functions
    )

    private static let version1 = """
        -- A list exists from its first change.
        CREATE TABLE lists (
            name TEXT NOT NULL PRIMARY KEY,
            revision INTEGER NOT NULL CHECK (revision > 0)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE favorites (
            list TEXT NOT NULL REFERENCES lists (name),
            character_id INTEGER NOT NULL,
            -- The revision that saved it: the order of saving, which no clock can upset.
            saved_revision INTEGER NOT NULL,
            -- The character and when it was saved, as JSON.
            snapshot TEXT NOT NULL,
            PRIMARY KEY (list, character_id)
        ) STRICT, WITHOUT ROWID;

        -- What toggles with a request id were answered.
        CREATE TABLE answers (
            -- Rises by one, so that the oldest are found without an index, and their number without counting.
            sequence INTEGER NOT NULL PRIMARY KEY,
            request_id TEXT NOT NULL UNIQUE,
            -- The contents of the request.
            list TEXT NOT NULL,
            character_id INTEGER NOT NULL,
            desired TEXT NOT NULL,
            -- The answer; `evicted` is a JSON array of snapshots, null if none.
            is_favorite INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            evicted TEXT,
            -- Seconds since 1970-01-01T00:00:00Z.
            created_at INTEGER NOT NULL
        ) STRICT;
        """

    private static let version2 = """
        -- Of the last change: what the last row in `changes` has. 0 before the first.
        ALTER TABLE lists ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;

        -- How each list came to be as it is: its last changes.
        CREATE TABLE changes (
            list TEXT NOT NULL REFERENCES lists (name),
            -- The list's revision after this change. Without gaps up to the list's own.
            revision INTEGER NOT NULL,
            -- What was saved, removed, evicted or updated, as JSON of snapshots.
            change TEXT NOT NULL,
            -- Of this change and all before it.
            digest INTEGER NOT NULL,
            UNIQUE (list, revision)
        ) STRICT;

        -- The pictures of what is on the lists, once per character.
        CREATE TABLE pictures (
            character_id INTEGER NOT NULL PRIMARY KEY,
            media_type TEXT NOT NULL,
            -- Whether it is what the source shows where it has no picture.
            is_placeholder INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            -- Seconds since 1970-01-01T00:00:00Z.
            fetched_at INTEGER NOT NULL
        ) STRICT;
        """

    private static let version3 = """
        -- The history in which the revisions of all lists count. One row.
        CREATE TABLE history (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
            -- Random, new when the store was put back from a copy or has lost its end. Not negative: a place begins with
            -- it, and would begin with a hyphen in one of 64 stores, like an option of a command line.
            history INTEGER NOT NULL,
            -- The revision of lists that are not there.
            base INTEGER NOT NULL,
            -- The sum of the revisions of deleted names that were dropped from `lists`.
            dropped_revisions INTEGER NOT NULL,
            -- 1 in a copy that `backup` made, until a server opens it.
            is_copy INTEGER NOT NULL
        ) STRICT;
        INSERT INTO history VALUES (1, random() & 0x7FFFFFFFFFFFFFFF, 0, 0, 0);

        -- Null while the list exists. A deleted list's name keeps its row, and with it its last revision: deletions are
        -- numbered as they happen, so that the oldest is found first when there are too many.
        ALTER TABLE lists ADD COLUMN deletion INTEGER;
        CREATE UNIQUE INDEX lists_deletion ON lists (deletion) WHERE deletion IS NOT NULL;

        -- As before, with the principal, the history and the checksum.
        CREATE TABLE answers_of_principals (
            sequence INTEGER NOT NULL PRIMARY KEY,
            -- The one who asked; empty where all callers are one.
            principal TEXT NOT NULL,
            request_id TEXT NOT NULL,
            list TEXT NOT NULL,
            character_id INTEGER NOT NULL,
            desired TEXT NOT NULL,
            is_favorite INTEGER NOT NULL,
            -- In the history below.
            revision INTEGER NOT NULL,
            evicted TEXT,
            history INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            -- Of the columns from `principal` on.
            checksum INTEGER NOT NULL,
            UNIQUE (principal, request_id)
        ) STRICT;
        INSERT INTO answers_of_principals
            SELECT sequence, '', request_id, list, character_id, desired, is_favorite, revision, evicted,
                history.history, created_at,
                row_checksum(
                    '', request_id, list, character_id, desired, is_favorite, revision, evicted, history.history,
                    created_at
                )
            FROM answers, history;
        DROP TABLE answers;
        ALTER TABLE answers_of_principals RENAME TO answers;

        -- Of the other columns.
        ALTER TABLE pictures ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
        UPDATE pictures
            SET checksum = row_checksum(character_id, media_type, is_placeholder, bytes, fetched_at);
        """

    private static let version4 = """
        -- The bytes of the list's rows in `changes`, whose sum is bounded.
        ALTER TABLE lists ADD COLUMN log_bytes INTEGER NOT NULL DEFAULT 0;
        UPDATE lists
            SET log_bytes = (SELECT ifnull(sum(length(CAST(change AS BLOB))), 0) FROM changes WHERE list = name);
        """

    private static let version5 = """
        -- The name of the caller that made the list. Null if it has none, and of a deleted list.
        ALTER TABLE lists ADD COLUMN owner TEXT;
        -- An owner's lists are counted by it. The lists of nobody have no entry.
        CREATE INDEX lists_owner ON lists (owner) WHERE owner IS NOT NULL;
        """

    private static let version6 = """
        -- Of the other columns.
        ALTER TABLE favorites ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
        UPDATE favorites SET checksum = row_checksum(list, character_id, saved_revision, snapshot);

        -- Of the name, the revision, whether the list exists, and the ids on it.
        ALTER TABLE lists ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
        UPDATE lists SET checksum = \(RowChecksum.ofList(revision: "revision"));

        -- A list whose favorites cannot be right gets a checksum that does not match: it is refused.
        UPDATE lists SET checksum = ~checksum
        WHERE deletion IS NOT NULL AND EXISTS (SELECT 1 FROM favorites WHERE list = name)
            OR EXISTS (
                SELECT 1 FROM favorites
                WHERE list = name AND (saved_revision > revision OR NOT is_favorite(snapshot, character_id))
            )
            OR (SELECT count(DISTINCT saved_revision) < count(*) FROM favorites WHERE list = name);
        """

    private static let version7 = """
        -- What the operator's edits of each character have come to. A row stays when its edits are undone, so that the id is
        -- not given again.
        CREATE TABLE edits (
            character_id INTEGER NOT NULL PRIMARY KEY CHECK (character_id > 0),
            -- Of the last edit: above those of all earlier ones, of any character.
            revision INTEGER NOT NULL UNIQUE,
            -- The edits as JSON.
            document TEXT NOT NULL,
            -- Of the picture; null if there is none.
            picture_checksum INTEGER,
            -- Of the columns before it.
            checksum INTEGER NOT NULL,
            picture BLOB
        ) STRICT;

        -- Whether a file of edits was taken over, or must not be.
        ALTER TABLE history ADD COLUMN has_taken_edits INTEGER NOT NULL DEFAULT 0;
        """

    private static let version8 = "DROP TABLE pictures;"

    private static let functions = [RowChecksum.function, RowChecksum.idsFunction, isFavorite]

    /// The SQL function `is_favorite(snapshot, id)`: whether a snapshot is the favorite of the character with the id.
    private static let isFavorite = DatabaseFunction("is_favorite") { values in
        guard let values = try? (text: values[0].decoded(String.self), id: values[1].decoded(Int64.self)),
            let favorite = try? FavoriteJSON.favorite(utf8: Array(values.text.utf8))
        else { return .integer(0) }
        return (favorite.character.id == values.id).sqlValue
    }

    static func addFunctions(to db: Database) throws { for function in functions { try db.add(function) } }

    static func version(of db: Database) throws -> Int { try migrations.version(of: db) }

    /// Reads a store in the newest schema, apart from pictures. An older one is migrated as a copy in a temporary file,
    /// which SQLite makes and removes.
    static func newest<Value>(_ db: Database, _ body: (Database) throws -> Value) throws -> Value {
        guard try version(of: db) < versionWithoutPictures - 1 else { return try body(db) }
        let copy = try Database("")
        try db.copy(to: copy)
        try migrate(copy)
        return try body(copy)
    }

    /// Migrates a store to the newest version, or to the one before `versionWithoutPictures` while it has pictures. A
    /// crash between the move and the migration loses nothing: the next start moves the pictures again. `move` is nil
    /// if they have to stay.
    ///
    /// - Throws: `DatabaseError`.
    static func migrate(_ db: Database, movingPictures move: PictureMove? = nil) throws {
        if try version(of: db) < versionWithoutPictures {
            try migrations.migrate(db, to: versionWithoutPictures - 1)
            guard try FormerPictures.move(from: db, to: move) else { return }
        }
        try migrations.migrate(db)
    }
}
