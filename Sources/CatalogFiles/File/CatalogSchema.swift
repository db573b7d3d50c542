internal import SQLiteFiles

/// An SQLite database that any program can read. `user_version` is the version of the format. Finished files never
/// change: an older file is migrated by importing it into a new one.
enum CatalogSchema {
    /// "Mcat", in the file's header.
    static let applicationID: Int32 = 0x4D63_6174
    static let migrations = SchemaMigrations(applicationID: applicationID, [tables, documents])
    private static let versionWithDocuments = 2

    private static let tables = """
        CREATE TABLE characters (
            -- Above 0.
            id INTEGER NOT NULL PRIMARY KEY,
            -- As in the message: for people who look into the file.
            name TEXT NOT NULL,
            -- marvel.v1.Character, as the index in memory and the wire have it: it is copied from here to the client.
            message BLOB NOT NULL
        ) STRICT;

        -- Where the characters came from, in the order in which they were taken.
        CREATE TABLE sources (
            number INTEGER NOT NULL PRIMARY KEY,
            -- What it was: a gateway's address, a file's name.
            name TEXT NOT NULL,
            -- The line that must be shown with the data.
            attribution TEXT NOT NULL,
            -- When it was read: seconds since 1970-01-01T00:00:00Z.
            read_at INTEGER NOT NULL
        ) STRICT;

        -- Pictures that were copied with their characters.
        CREATE TABLE pictures (
            character_id INTEGER NOT NULL,
            -- One of the API's words, or empty: the full picture.
            variant TEXT NOT NULL,
            -- image/png, image/jpeg, image/gif
            media_type TEXT NOT NULL,
            -- 1: this is what the source shows where it has no picture.
            is_placeholder INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (character_id, variant)
        ) STRICT;

        -- How far the program had come that made the file, in its own words. Nothing writes it any more.
        CREATE TABLE progress (
            name TEXT NOT NULL PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- One row when the file is finished, none before.
        CREATE TABLE finished (
            -- Seconds since 1970-01-01T00:00:00Z.
            made_at INTEGER NOT NULL,
            character_count INTEGER NOT NULL,
            picture_count INTEGER NOT NULL
        ) STRICT;
        """

    private static let documents = """
        -- Comics, creators, events, series and stories, as the API answered them.
        CREATE TABLE documents (
            -- The word in the API's paths: comics.
            kind TEXT NOT NULL,
            id INTEGER NOT NULL,
            -- The document's short texts and numbers, and its dates by type: a JSON object, to filter and sort by.
            fields TEXT NOT NULL,
            -- The document: a JSON object.
            document TEXT NOT NULL,
            PRIMARY KEY (kind, id)
        ) STRICT;

        -- Which resources name each other, in both directions: characters too, and resources without a document.
        CREATE TABLE links (
            kind TEXT NOT NULL,
            id INTEGER NOT NULL,
            other_kind TEXT NOT NULL,
            other_id INTEGER NOT NULL,
            -- The name of the other one.
            name TEXT NOT NULL,
            -- The type of the other one if it is a story, else empty.
            type TEXT NOT NULL,
            PRIMARY KEY (kind, id, other_kind, other_id)
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE finished ADD COLUMN document_count INTEGER NOT NULL DEFAULT 0;
        """

    /// Returns whether the catalog has tables of documents. Throws if the file is not a catalog, or newer.
    static func check(_ db: Database, path: String) throws -> Bool {
        switch try migrations.state(of: db) {
        case .applied(let version): return version >= versionWithDocuments
        case .empty, .foreign:
            throw CatalogFileError("\(path) is another program's SQLite database, not a catalog; it was not changed")
        case .newer(let version):
            throw CatalogFileError(
                "the catalog \(path) has format \(version), but this program supports formats up to "
                    + "\(migrations.newest): use the newer program that created it; it was not changed"
            )
        case .altered(let difference):
            throw CatalogFileError(
                "the catalog \(path) \(difference), unlike any catalog of this program: create it again"
            )
        case .invalid(let version):
            throw CatalogFileError("the catalog \(path) is damaged (format \(version))")
        }
    }
}
