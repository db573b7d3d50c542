internal import SQLiteFiles

enum CacheSchema {
    /// "Mrca", in the file's header.
    static let applicationID: Int32 = 0x4D72_6361

    static let migrations = SchemaMigrations(applicationID: applicationID, [version1, version2])

    private static let version1 = """
        -- What gateways answered.
        CREATE TABLE answers (
            id INTEGER NOT NULL PRIMARY KEY,
            -- Its address, without keys.
            gateway TEXT NOT NULL,
            -- Path and query, without what signs them.
            question TEXT NOT NULL,
            first INTEGER NOT NULL,
            received INTEGER NOT NULL,
            total INTEGER NOT NULL,
            attribution TEXT NOT NULL,
            etag TEXT,
            -- A marvel.v1.SearchCharactersResponse with nothing but characters.
            characters BLOB NOT NULL,
            -- Milliseconds since 1970-01-01T00:00:00Z.
            fetched_at INTEGER NOT NULL,
            -- Of all that is above but fetched_at: SQLite does not notice a flipped bit in a row.
            digest INTEGER NOT NULL,
            -- In bytes, about.
            cost INTEGER NOT NULL,
            -- Rises with each use of any row.
            last_use INTEGER NOT NULL,
            UNIQUE (gateway, question)
        ) STRICT;
        CREATE INDEX answers_by_use ON answers (last_use, cost);

        -- The last answer that held each character.
        CREATE TABLE sightings (
            gateway TEXT NOT NULL,
            character_id INTEGER NOT NULL,
            answer INTEGER NOT NULL REFERENCES answers (id) ON DELETE CASCADE,
            PRIMARY KEY (gateway, character_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sightings_by_answer ON sightings (answer);

        CREATE TABLE pictures (
            url TEXT NOT NULL PRIMARY KEY,
            media_type TEXT NOT NULL,
            is_placeholder INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            etag TEXT,
            fetched_at INTEGER NOT NULL,
            digest INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            last_use INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX pictures_by_use ON pictures (last_use, cost);

        -- Calls of the last day.
        CREATE TABLE calls (
            gateway TEXT NOT NULL,
            -- Since 1970.
            minute INTEGER NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (gateway, minute)
        ) STRICT, WITHOUT ROWID;

        -- Gateways that take no calls for now.
        CREATE TABLE blocks (
            gateway TEXT NOT NULL PRIMARY KEY,
            -- Milliseconds since 1970-01-01T00:00:00Z.
            until INTEGER NOT NULL,
            is_probed INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let version2 = """
        -- The pictures of favorites, one for each character. They are by character and not by address, because the pictures
        -- of catalog files have no address. No limit of the cache counts or evicts them.
        CREATE TABLE pins (
            character_id INTEGER NOT NULL PRIMARY KEY,
            media_type TEXT NOT NULL,
            is_placeholder INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            -- Seconds since 1970-01-01T00:00:00Z.
            fetched_at INTEGER NOT NULL,
            -- Of all columns above.
            digest INTEGER NOT NULL
        ) STRICT;
        """

    /// Throws `CacheFileError` for another program's file or a newer schema, `SQLITE_CORRUPT` for an altered schema.
    static func check(_ db: Database) throws {
        switch try migrations.state(of: db) {
        case .empty, .applied: break
        case .foreign, .invalid: throw CacheFileError.notACache
        case .altered(let difference): throw DatabaseError.damaged("it \(difference)")
        case .newer: throw CacheFileError(description: "it was created by a newer version of this program")
        }
    }
}

/// The reason why a file cannot be used as a cache, for the operator. The file is unchanged.
struct CacheFileError: Error, CustomStringConvertible {
    let description: String

    static let notACache = CacheFileError(description: "it is another program's file")
}
