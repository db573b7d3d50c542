internal import Foundation
internal import GRDB
internal import MarvelDomain
internal import SQLiteFiles

/// The table of edits' pictures.
enum EditPicturesTable {
    static func picture(of id: Int64, in db: Database) throws -> Picture? {
        let sql = "SELECT media_type, bytes FROM pictures WHERE character_id = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [id]),
            let type = PictureType(rawValue: try row.read("media_type"))
        else { return nil }
        let bytes: Data = try row.read("bytes")
        return Picture(bytes: [UInt8](bytes), mediaType: type)
    }

    static func put(_ picture: Picture, of id: Int64, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO pictures (character_id, media_type, bytes) VALUES (?, ?, ?)
                ON CONFLICT (character_id) DO UPDATE SET media_type = excluded.media_type, bytes = excluded.bytes
                """,
            arguments: [id, picture.mediaType.rawValue, Data(picture.bytes)]
        )
    }

    static func delete(of id: Int64, in db: Database) throws {
        try db.execute(sql: "DELETE FROM pictures WHERE character_id = ?", arguments: [id])
    }
}
