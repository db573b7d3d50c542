internal import CatalogEdits
internal import Foundation
internal import GRDB
internal import MarvelDomain
internal import SQLiteFiles

/// The table of characters' edits, all edits of a character merged into one row.
enum EditsTable {
    private static let columns = """
        e.character_id, e.kind, e.name, e.description, e.comic_count, e.series_count, e.story_count, e.event_count,
        e.urls, e.edited_at, e.revision, p.media_type
        """
    private static let source = "edits e LEFT JOIN pictures p ON p.character_id = e.character_id"

    static func edit(of id: Int64, in db: Database) throws -> EditedCharacter? {
        let sql = "SELECT \(columns) FROM \(source) WHERE e.character_id = ?"
        return try Row.fetchOne(db, sql: sql, arguments: [id]).map(EditedCharacter.init(row:))
    }

    /// Returns the edits after a revision, oldest first.
    static func edits(after revision: Int64, in db: Database) throws -> [EditedCharacter] {
        let sql = "SELECT \(columns) FROM \(source) WHERE e.revision > ? ORDER BY e.revision"
        return try Row.fetchAll(db, sql: sql, arguments: [revision]).map(EditedCharacter.init(row:))
    }

    static func count(in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM edits") ?? 0
    }

    /// Returns the revision for the next edit. Rows are never deleted, so that the newest revision is in the table.
    static func nextRevision(in db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT ifnull(max(revision), 0) + 1 FROM edits") ?? 1
    }

    /// Returns an unused id for a created character: the one after the largest used id, or the first gap if the largest
    /// possible id is used. If all are used, the result is beyond the range.
    static func nextCreatedID(in db: Database) throws -> Int64 {
        let ids = EditedCharacter.createdIDs
        let last = try Int64.fetchOne(
            db,
            sql: "SELECT max(character_id) FROM edits WHERE character_id BETWEEN ? AND ?",
            arguments: [ids.lowerBound, ids.upperBound]
        )
        guard let last else { return ids.lowerBound }
        return last < ids.upperBound ? last + 1 : try firstGap(in: db)
    }

    private static func firstGap(in db: Database) throws -> Int64 {
        let ids = EditedCharacter.createdIDs
        let first = try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM edits WHERE character_id = ?)",
            arguments: [ids.lowerBound]
        )
        guard first == true else { return ids.lowerBound }
        let gap = try Int64.fetchOne(
            db,
            sql: """
                SELECT e.character_id + 1 FROM edits e WHERE e.character_id BETWEEN ? AND ?
                AND NOT EXISTS (SELECT 1 FROM edits n WHERE n.character_id = e.character_id + 1)
                ORDER BY e.character_id LIMIT 1
                """,
            arguments: [ids.lowerBound, ids.upperBound]
        )
        return gap ?? ids.upperBound + 1
    }

    static func put(_ edited: EditedCharacter, in db: Database) throws {
        let edit = edited.edit
        let urls = edit.urls.map(URLsJSON.text)
        try db.execute(
            sql: """
                INSERT INTO edits
                    (character_id, kind, name, description, comic_count, series_count, story_count, event_count, urls,
                    edited_at, revision)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (character_id) DO UPDATE SET
                    kind = excluded.kind, name = excluded.name, description = excluded.description,
                    comic_count = excluded.comic_count, series_count = excluded.series_count,
                    story_count = excluded.story_count, event_count = excluded.event_count, urls = excluded.urls,
                    edited_at = excluded.edited_at, revision = excluded.revision
                """,
            arguments: [
                edited.id, edited.kind.rawValue, edit.name, edit.description, edit.comicCount, edit.seriesCount,
                edit.storyCount, edit.eventCount, urls, edited.editedAt.seconds, edited.revision,
            ]
        )
    }
}

/// The JSON of URLs in the file.
private enum URLsJSON {
    static func text(_ urls: [CharacterURL]) -> String {
        var json = JSONWriter()
        json.urls(urls)
        return json.text
    }

    static func urls(_ text: String) throws(JSONError) -> [CharacterURL] {
        try JSONReader.read(text) { (reader) throws(JSONError) in try reader.urls() }
    }
}

extension EditedCharacter {
    /// Decodes a row.
    ///
    /// - Throws: `SQLITE_CORRUPT` if the row was not written by this program.
    fileprivate init(row: Row) throws {
        guard let kind = Kind(rawValue: try row.read("kind")) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an edit is of an unknown kind")
        }
        let urls: String? = try row.readIfPresent("urls")
        let mediaType: String? = try row.readIfPresent("media_type")
        self.init(
            id: try row.read("character_id"),
            kind: kind,
            edit: CharacterEdit(
                name: try row.readIfPresent("name"),
                description: try row.readIfPresent("description"),
                comicCount: try row.readIfPresent("comic_count"),
                seriesCount: try row.readIfPresent("series_count"),
                storyCount: try row.readIfPresent("story_count"),
                eventCount: try row.readIfPresent("event_count"),
                urls: try urls.map { text throws(JSONError) in try URLsJSON.urls(text) }
            ),
            pictureType: mediaType.flatMap(PictureType.init(rawValue:)),
            editedAt: Timestamp(seconds: try row.read("edited_at")),
            revision: try row.read("revision")
        )
    }
}

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
