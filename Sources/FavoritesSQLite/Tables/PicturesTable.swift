internal import Foundation
internal import GRDB
internal import MarvelDomain

/// The table of the pictures of all favorites, one per character.
enum PicturesTable {
    static func insert(_ picture: Picture, of id: Int64, at now: Timestamp, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO pictures
                    (character_id, media_type, is_placeholder, bytes, fetched_at, checksum)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        )
        let values: [any DatabaseValueConvertible] = [
            id, picture.mediaType.rawValue, picture.isPlaceholder, Data(picture.bytes), now.seconds,
        ]
        var row = values.map(\.databaseValue)
        row.append(RowChecksum.of(row).databaseValue)
        try statement.execute(arguments: StatementArguments(row))
    }

    /// Returns a picture. Nil also if it is damaged, because that must not stop the writing of favorites.
    static func picture(of id: Int64, in db: Database) throws -> (picture: Picture, fetchedAt: Int64)? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT character_id, media_type, is_placeholder, bytes, fetched_at, checksum
                FROM pictures WHERE character_id = ?
                """
        )
        guard let values = try? Row.fetchOne(statement, arguments: [id])?.verifiedValues(),
            let mediaType = String.fromDatabaseValue(values[1]).flatMap(PictureType.init),
            let isPlaceholder = Bool.fromDatabaseValue(values[2]), let bytes = Data.fromDatabaseValue(values[3]),
            let fetchedAt = Int64.fromDatabaseValue(values[4])
        else { return nil }
        return (Picture(bytes: [UInt8](bytes), mediaType: mediaType, isPlaceholder: isPlaceholder), fetchedAt)
    }

    static func contains(_ id: Int64, in db: Database) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM pictures WHERE character_id = ?")
        return try Row.fetchOne(statement, arguments: [id]) != nil
    }

    /// Returns the characters that have pictures. It reads only the start of each row.
    static func ids(in db: Database) throws -> Set<Int64> {
        try Int64.fetchSet(db, sql: "SELECT character_id FROM pictures")
    }

    static func delete(_ id: Int64, in db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM pictures WHERE character_id = ?")
        try statement.execute(arguments: [id])
    }

    /// Calls `body` with each picture.
    ///
    /// - Throws: `DamagedRecord`, errors of SQLite, or the error of `body`.
    static func forEach(in db: Database, _ body: (StoreRecord.Picture) throws -> Void) throws {
        for id in try ids(in: db).sorted() {
            guard let (picture, fetchedAt) = try picture(of: id, in: db) else { throw DamagedRecord() }
            try body(.init(id: id, picture: picture, fetchedAt: Timestamp(seconds: fetchedAt)))
        }
    }
}
