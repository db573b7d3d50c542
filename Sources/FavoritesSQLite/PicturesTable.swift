internal import Foundation
internal import GRDB
internal import MarvelDomain

/// The pictures of what is on the lists, once per character.
enum PicturesTable {
    static func insert(_ picture: Picture, of id: Int64, at now: Timestamp, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO pictures (character_id, media_type, is_placeholder, bytes, fetched_at)
                VALUES (?, ?, ?, ?, ?)
                """
        )
        try statement.execute(
            arguments: [
                id, picture.mediaType.rawValue, picture.isPlaceholder, Data(picture.bytes), now.seconds,
            ]
        )
    }

    /// Nil too if it is of a kind that none is kept with: that a picture is damaged must not end the writing of favorites.
    static func picture(of id: Int64, in db: Database) throws -> (picture: Picture, fetchedAt: Int64)? {
        let statement = try db.cachedStatement(
            sql: "SELECT media_type, is_placeholder, bytes, fetched_at FROM pictures WHERE character_id = ?"
        )
        guard let row = try Row.fetchOne(statement, arguments: [id]) else { return nil }
        let type: String = try row.decode(atIndex: 0)
        guard let mediaType = PictureType(rawValue: type) else { return nil }
        let (isPlaceholder, bytes): (Bool, Data) = (try row.decode(atIndex: 1), try row.decode(atIndex: 2))
        let picture = Picture(bytes: [UInt8](bytes), mediaType: mediaType, isPlaceholder: isPlaceholder)
        return (picture, try row.decode(atIndex: 3))
    }

    static func contains(_ id: Int64, in db: Database) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM pictures WHERE character_id = ?")
        return try Row.fetchOne(statement, arguments: [id]) != nil
    }

    /// Of which characters there are pictures. Bytes beyond the first of each row are not read for it.
    static func ids(in db: Database) throws -> Set<Int64> {
        try Int64.fetchSet(db, sql: "SELECT character_id FROM pictures")
    }

    static func delete(_ id: Int64, in db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM pictures WHERE character_id = ?")
        try statement.execute(arguments: [id])
    }
}
