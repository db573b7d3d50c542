internal import GRDB
internal import SQLiteFiles

/// The tables of an edits file.
enum EditsSchema {
    /// The application id in the file's header, "Mrpe". It distinguishes an edits file from other databases.
    static let applicationID: Int32 = 0x4D72_7065

    private static let migrations = SchemaMigrations(applicationID: applicationID, [version1, version2, version3])

    private static let version1 = """
        -- What the operator's edits of each character have come to. Null: left to the catalog's source.
        CREATE TABLE edits (
            character_id INTEGER NOT NULL PRIMARY KEY CHECK (character_id > 0),
            -- created, edited or reverted. A row stays when its edits are taken back, so that servers hear of it and the
            -- id is not given again.
            kind TEXT NOT NULL,
            name TEXT,
            description TEXT,
            comic_count INTEGER,
            series_count INTEGER,
            story_count INTEGER,
            event_count INTEGER,
            -- JSON: an array of objects with type and url.
            urls TEXT,
            -- Seconds since 1970-01-01T00:00:00Z, of the last edit.
            edited_at INTEGER NOT NULL,
            -- Of the last edit: one above that of the edit before it, of any character.
            revision INTEGER NOT NULL UNIQUE
        ) STRICT;

        CREATE TABLE pictures (
            character_id INTEGER NOT NULL PRIMARY KEY REFERENCES edits (character_id),
            media_type TEXT NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;

        -- What was asked with a request id, so that it is not done again.
        CREATE TABLE requests (
            request_id TEXT NOT NULL PRIMARY KEY,
            -- Of what was asked.
            digest INTEGER NOT NULL,
            character_id INTEGER NOT NULL,
            -- Seconds since 1970-01-01T00:00:00Z.
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let version2 = """
        -- Numbered in their order, so that the oldest are found, and all are counted, without reading all of them.
        CREATE TABLE numbered_requests (
            number INTEGER NOT NULL PRIMARY KEY,
            request_id TEXT NOT NULL UNIQUE,
            digest INTEGER NOT NULL,
            character_id INTEGER NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;

        INSERT INTO numbered_requests (request_id, digest, character_id, created_at)
            SELECT request_id, digest, character_id, created_at FROM requests ORDER BY created_at;
        DROP TABLE requests;
        ALTER TABLE numbered_requests RENAME TO requests;
        """

    private static let version3 = """
        -- As before, with the principal.
        CREATE TABLE requests_of_principals (
            number INTEGER NOT NULL PRIMARY KEY,
            -- The one who asked; empty for those who have no name.
            principal TEXT NOT NULL,
            request_id TEXT NOT NULL,
            digest INTEGER NOT NULL,
            character_id INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            UNIQUE (principal, request_id)
        ) STRICT;

        INSERT INTO requests_of_principals
            SELECT number, '', request_id, digest, character_id, created_at FROM requests;
        DROP TABLE requests;
        ALTER TABLE requests_of_principals RENAME TO requests;
        """

    /// Migrates an empty or older file to the newest version.
    ///
    /// - Throws: `EditsOpenError` if the file belongs to another program, or has a newer schema. It is not changed
    ///   then.
    static func prepare(_ db: Database, path: String) throws {
        switch try migrations.state(of: db) {
        case .empty, .applied: try migrations.migrate(db)
        case .foreign, .invalid: throw EditsOpenError(message: "\(path) is no file of edits; it was not touched")
        case .altered(let difference):
            throw EditsOpenError(
                message: "\(path) \(difference), unlike every file of edits that a server made; it was not touched"
            )
        case .newer(let version):
            throw EditsOpenError(message: "\(path) was written by a newer marvel-server (schema \(version))")
        }
    }
}

/// The reason why a file of edits could not be opened. The message is for the operator, and may name files.
package struct EditsOpenError: Error, Sendable, Hashable, CustomStringConvertible {
    package let message: String

    package var description: String { message }
}
