internal import Foundation
package import MarvelDomain
internal import NIOCore
internal import SQLiteFiles
internal import WireMessages

package struct CatalogOrigin: Sendable, Hashable {
    /// Real catalogs have far fewer.
    static let maximumCount = 100

    /// The address of a gateway or the name of a file, for display.
    package var name: String
    package var attribution: String
    /// In whole seconds.
    package var readAt: Timestamp

    package init(name: String, attribution: String, readAt: Timestamp) {
        self.name = name
        self.attribution = attribution
        self.readAt = readAt
    }
}

package struct CatalogDescription: Sendable, Hashable {
    package var characterCount: Int
    package var pictureCount: Int
    /// Comics, creators, events, series and stories.
    package var documentCount: Int
    package var origins: [CatalogOrigin]
    /// In whole seconds.
    package var madeAt: Timestamp

    /// The attribution of each source, once.
    package var attribution: String {
        var lines: [String] = []
        for line in origins.map(\.attribution) where !line.isEmpty && !lines.contains(line) { lines.append(line) }
        return lines.joined(separator: " ")
    }
}

enum CatalogTables {
    static func characters(in db: Database, maximumByteCount: Int) throws -> StoredCharacters {
        let rows = try db.rows("SELECT id, message FROM characters ORDER BY id")
        return StoredCharacters(rows: rows, maximumByteCount: maximumByteCount)
    }

    /// Validates the row: the file is untrusted, and its bytes are sent to clients.
    static func character(_ row: Row) throws -> (MarvelCharacter, byteCount: Int) {
        let id: Int64 = try row.read(at: 0)
        let message = try row.withBytes(at: 1) { ByteBuffer(bytes: $0) }
        guard let character = try? MarvelCharacter(decodingWireForm: message), character.id == id, id > 0,
            !character.name.isEmpty
        else { throw UnreadableRecord(description: "character \(id)") }
        return (character, message.readableBytes)
    }

    /// No program writes more than 100, and every page contains their attributions.
    static func origins(in db: Database) throws -> [CatalogOrigin] {
        let sql = "SELECT name, attribution, read_at FROM sources ORDER BY number LIMIT \(CatalogOrigin.maximumCount)"
        return try db.all(sql) { row in
            CatalogOrigin(
                name: try row.read("name", as: String.self).cut(to: CharacterLimits.attributionBytes),
                attribution: try row.read("attribution", as: String.self).cut(to: CharacterLimits.attributionBytes),
                readAt: Timestamp(seconds: try row.read("read_at"))
            )
        }
    }

    /// Nil if the picture is missing, too large, or not of its media type.
    static func picture(of id: Int64, _ variant: ImageVariant, in db: Database) throws -> Picture? {
        try db.first(
            """
            SELECT media_type, is_placeholder, bytes FROM pictures
            WHERE character_id = ? AND variant = ? AND length(bytes) <= \(Picture.maximumByteCount)
            """,
            id,
            variant.rawValue,
            body: picture
        ) ?? nil
    }

    private static func picture(_ row: Row) throws -> Picture? {
        let bytes: [UInt8] = try row.read("bytes")
        let mediaType: String = try row.read("media_type")
        guard let type = PictureType(contents: bytes), type.rawValue == mediaType else { return nil }
        return Picture(bytes: bytes, mediaType: type, isPlaceholder: try row.read("is_placeholder"))
    }

    /// Skips invalid pictures. Ordered by character.
    static func forEachPicture(in db: Database, _ body: (Int64, ImageVariant, Picture) throws -> Void) throws {
        let rows = try db.rows(
            """
            SELECT character_id, variant, media_type, is_placeholder, bytes FROM pictures
            WHERE length(bytes) <= \(Picture.maximumByteCount) ORDER BY character_id, variant
            """
        )
        var last: (Int64, String)?
        while let row = try rows.next() {
            let key: (id: Int64, variant: String) = (try row.read("character_id"), try row.read("variant"))
            if let last, key <= last { throw UnreadableRecord.outOfOrder("pictures") }
            last = key
            guard let variant = ImageVariant(rawValue: key.variant), let picture = try picture(row) else { continue }
            try body(key.id, variant, picture)
        }
    }

    /// Nil if the file is not finished.
    static func description(in db: Database, hasDocuments: Bool) throws -> CatalogDescription? {
        try db.first("SELECT * FROM finished") { row in
            CatalogDescription(
                characterCount: try row.read("character_count"),
                pictureCount: try row.read("picture_count"),
                documentCount: hasDocuments ? try row.read("document_count") : 0,
                origins: try origins(in: db),
                madeAt: Timestamp(seconds: try row.read("made_at"))
            )
        }
    }
}

package struct CatalogBatch: ~Copyable {
    let db: Database

    init(db: Database) { self.db = db }

    package func put(_ character: MarvelCharacter) throws {
        let message = Array(character.encodedWireForm().readableBytesView)
        try db.run(
            """
            INSERT INTO characters (id, name, message) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, message = excluded.message
            """,
            character.id,
            character.name,
            message
        )
    }

    package func put(_ picture: Picture, of id: Int64, _ variant: ImageVariant) throws {
        let sql = """
            INSERT OR REPLACE INTO pictures (character_id, variant, media_type, is_placeholder, bytes)
            VALUES (?, ?, ?, ?, ?)
            """
        try db.run(sql, id, variant.rawValue, picture.mediaType.rawValue, picture.isPlaceholder, picture.bytes)
    }

    package func variants(of id: Int64) throws -> [ImageVariant] {
        try db.all("SELECT variant FROM pictures WHERE character_id = ? ORDER BY variant", id) { row in
            ImageVariant(rawValue: try row.read(at: 0))
        }.compactMap(\.self)
    }

    package func add(_ origin: CatalogOrigin) throws {
        try db.run(
            "INSERT INTO sources (name, attribution, read_at) VALUES (?, ?, ?)",
            origin.name,
            origin.attribution,
            origin.readAt.seconds
        )
    }

    func finish(at now: Timestamp) throws {
        try db.execute(
            """
            INSERT INTO finished (made_at, character_count, picture_count, document_count)
            VALUES (
                \(now.seconds), (SELECT count(*) FROM characters), (SELECT count(*) FROM pictures),
                (SELECT count(*) FROM documents)
            );
            """
        )
    }
}

/// Ordered by id and read lazily. It ends early at an unreadable character.
package final class StoredCharacters: Sequence, IteratorProtocol {
    /// 2 GiB. More does not fit into an index in memory.
    package static let maximumByteCount = 2 << 30

    private let rows: RowCursor
    private let maximumByteCount: Int
    private var count = 0
    private var byteCount = 0
    private var lastID: Int64 = 0
    private var failure: (any Error)?
    private var isAtEnd = false

    init(rows: RowCursor, maximumByteCount: Int) {
        self.rows = rows
        self.maximumByteCount = maximumByteCount
    }

    package func next() -> MarvelCharacter? {
        guard failure == nil, !isAtEnd else { return nil }
        do {
            guard let row = try rows.next() else {
                isAtEnd = true
                return nil
            }
            let (character, encodedByteCount) = try CatalogTables.character(row)
            guard character.id > lastID else { throw UnreadableRecord.outOfOrder("characters") }
            lastID = character.id
            count += 1
            byteCount += encodedByteCount
            guard byteCount <= maximumByteCount else {
                throw UnreadableRecord(description: "more than \(maximumByteCount) bytes of characters")
            }
            return character
        } catch {
            failure = error
            return nil
        }
    }

    /// Throws the reason of an early end, or an error if the number of characters differs from the metadata.
    func checkEnd(_ description: CatalogDescription, path: String) throws(CatalogFileError) {
        if let failure { throw CatalogFileError(reading: path, failure) }
        guard !isAtEnd || count == description.characterCount else {
            throw CatalogFileError(
                "the catalog \(path) is damaged: it has \(count) characters, but its header says "
                    + "\(description.characterCount)"
            )
        }
    }
}

struct UnreadableRecord: Error, CustomStringConvertible {
    let description: String

    /// SQLite reads the rows of a table again and again if a page of a forged file has itself, or one child twice.
    static func outOfOrder(_ table: String) -> UnreadableRecord {
        UnreadableRecord(description: "the \(table) are out of order")
    }
}
