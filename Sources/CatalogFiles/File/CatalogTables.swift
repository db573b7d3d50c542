internal import Foundation
internal import GRDB
internal import MarvelDomain
internal import NIOCore
internal import SQLiteFiles
internal import WireMessages

/// The SQL statements on the tables of a catalog file.
enum CatalogTables {
    // MARK: characters

    static func put(_ character: MarvelCharacter, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO characters (id, name, message) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, message = excluded.message
                """
        )
        let message = character.encodedWireForm().withUnsafeReadableBytes { Data($0) }
        try statement.execute(arguments: [character.id, character.name, message])
    }

    /// Returns the sequence of all characters, ordered by id.
    static func characters(in db: Database, maximumByteCount: Int) throws -> StoredCharacters {
        let rows = try Row.fetchCursor(db, sql: "SELECT id, message FROM characters ORDER BY id")
        return StoredCharacters(rows: rows, maximumByteCount: maximumByteCount)
    }

    /// Decodes a row with `id` and `message`. Each row is validated, because the file is not trusted and its bytes are
    /// sent to clients.
    static func character(_ row: Row) throws -> MarvelCharacter { try encodedCharacter(row).0 }

    /// Decodes a row like `character`, and returns the number of its bytes in the file too.
    static func encodedCharacter(_ row: Row) throws -> (MarvelCharacter, byteCount: Int) {
        let id: Int64 = try row.read(at: 0)
        let message = try row.withUnsafeData(atIndex: 1) { ByteBuffer(bytes: $0 ?? Data()) }
        guard let character = try? MarvelCharacter(decodingWireForm: message), character.id == id, id > 0,
            !character.name.isEmpty
        else { throw UnreadableCharacter(id: id) }
        return (character, message.readableBytes)
    }

    // MARK: sources

    static func add(_ origin: CatalogOrigin, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO sources (name, attribution, read_at) VALUES (?, ?, ?)",
            arguments: [origin.name, origin.attribution, origin.readAt.seconds]
        )
    }

    /// Returns the first 100 origins. No program writes more, and their attributions are sent with every page.
    static func origins(in db: Database) throws -> [CatalogOrigin] {
        let sql = "SELECT name, attribution, read_at FROM sources ORDER BY number LIMIT \(CatalogOrigin.maximumCount)"
        return try Row.fetchAll(db, sql: sql).map { row in
            CatalogOrigin(
                name: try row.read("name", as: String.self).cut(to: CharacterLimits.attributionBytes),
                attribution: try row.read("attribution", as: String.self).cut(to: CharacterLimits.attributionBytes),
                readAt: Timestamp(seconds: try row.read("read_at"))
            )
        }
    }

    // MARK: pictures

    static func put(_ picture: Picture, of id: Int64, _ variant: ImageVariant, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO pictures (character_id, variant, media_type, is_placeholder, bytes)
                VALUES (?, ?, ?, ?, ?)
                """
        )
        try statement.execute(
            arguments: [
                id, variant.rawValue, picture.mediaType.rawValue, picture.isPlaceholder, Data(picture.bytes),
            ]
        )
    }

    /// Returns a picture; nil if there is none, if it is too large, or if it is not of its media type.
    static func picture(of id: Int64, _ variant: ImageVariant, in db: Database) throws -> Picture? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT media_type, is_placeholder, bytes FROM pictures
                WHERE character_id = ? AND variant = ? AND length(bytes) <= \(Picture.maximumByteCount)
                """
        )
        return try Row.fetchOne(statement, arguments: [id, variant.rawValue]).flatMap(picture)
    }

    /// Decodes a row with `media_type`, `is_placeholder` and `bytes`; nil if the bytes are not of the media type.
    private static func picture(_ row: Row) throws -> Picture? {
        let bytes = Array(try row.read("bytes", as: Data.self))
        let mediaType: String = try row.read("media_type")
        guard let type = PictureType(contents: bytes), type.rawValue == mediaType else { return nil }
        return Picture(bytes: bytes, mediaType: type, isPlaceholder: try row.read("is_placeholder"))
    }

    /// Calls `body` with each valid picture, ordered by character.
    static func forEachPicture(in db: Database, _ body: (Int64, ImageVariant, Picture) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT character_id, variant, media_type, is_placeholder, bytes FROM pictures
                WHERE length(bytes) <= \(Picture.maximumByteCount) ORDER BY character_id, variant
                """
        )
        while let row = try rows.next() {
            guard let variant = ImageVariant(rawValue: try row.read("variant")), let picture = try picture(row)
            else { continue }
            try body(try row.read("character_id"), variant, picture)
        }
    }

    /// Returns the variants in which there are pictures of a character.
    static func variants(of id: Int64, in db: Database) throws -> [ImageVariant] {
        let statement = try db.cachedStatement(
            sql: "SELECT variant FROM pictures WHERE character_id = ? ORDER BY variant"
        )
        return try String.fetchAll(statement, arguments: [id]).compactMap(ImageVariant.init)
    }

    // MARK: finishing

    static func finish(at now: Timestamp, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO finished (made_at, character_count, picture_count)
                VALUES (\(now.seconds), (SELECT count(*) FROM characters), (SELECT count(*) FROM pictures));
                """
        )
    }

    /// Returns the file's metadata; nil if the file is not finished.
    static func description(in db: Database) throws -> CatalogDescription? {
        let row = try Row.fetchOne(db, sql: "SELECT made_at, character_count, picture_count FROM finished")
        return try row.map { row in
            CatalogDescription(
                characterCount: try row.read("character_count"),
                pictureCount: try row.read("picture_count"),
                origins: try origins(in: db),
                madeAt: Timestamp(seconds: try row.read("made_at"))
            )
        }
    }
}
