internal import CatalogEdits
internal import Foundation
internal import GRDB
internal import MarvelDomain
internal import SQLiteFiles

/// The tables of a file of edits. All edits of a character are merged into one row.
struct EditsFileTables: EditTables {
    let db: Database

    private static let edits = """
        SELECT e.character_id, e.kind, e.name, e.description, e.comic_count, e.series_count, e.story_count, e.event_count,
            e.urls, e.edited_at, e.revision, p.media_type
        FROM edits e LEFT JOIN pictures p ON p.character_id = e.character_id
        """

    func edit(of id: Int64) throws -> EditedCharacter? {
        try Row.fetchOne(db, sql: "\(Self.edits) WHERE e.character_id = ?", arguments: [id])
            .map(EditedCharacter.init(row:))
    }

    /// Returns the edits after a revision, oldest first.
    func edits(after revision: Int64) throws -> [EditedCharacter] {
        try Row.fetchAll(db, sql: "\(Self.edits) WHERE e.revision > ? ORDER BY e.revision", arguments: [revision])
            .map(EditedCharacter.init(row:))
    }

    func count() throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM edits") ?? 0 }

    /// Rows are never deleted, so that the newest revision is in the table.
    func nextRevision() throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT ifnull(max(revision), 0) + 1 FROM edits") ?? 1
    }

    func lastID(in ids: ClosedRange<Int64>) throws -> Int64? {
        try Int64.fetchOne(
            db,
            sql: "SELECT max(character_id) FROM edits WHERE character_id BETWEEN ? AND ?",
            arguments: [ids.lowerBound, ids.upperBound]
        )
    }

    func put(_ edited: EditedCharacter) throws {
        let edit = edited.edit
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
                edit.storyCount, edit.eventCount, edit.urls.map(URLsJSON.text), edited.editedAt.seconds,
                edited.revision,
            ]
        )
    }

    func picture(of id: Int64) throws -> Picture? {
        let sql = "SELECT media_type, bytes FROM pictures WHERE character_id = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [id]),
            let type = PictureType(rawValue: try row.read("media_type"))
        else { return nil }
        let bytes: Data = try row.read("bytes")
        return Picture(bytes: [UInt8](bytes), mediaType: type)
    }

    func put(_ picture: Picture, of id: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO pictures (character_id, media_type, bytes) VALUES (?, ?, ?)
                ON CONFLICT (character_id) DO UPDATE SET media_type = excluded.media_type, bytes = excluded.bytes
                """,
            arguments: [id, picture.mediaType.rawValue, Data(picture.bytes)]
        )
    }

    func deletePicture(of id: Int64) throws {
        try db.execute(sql: "DELETE FROM pictures WHERE character_id = ?", arguments: [id])
    }

    func character(of order: EditOrder, _ request: RequestKey) throws -> Int64? {
        try EditRequestsTable.character(of: order, request, in: db)
    }

    func insert(_ order: EditOrder, _ request: RequestKey, of id: Int64, at now: Timestamp) throws {
        try EditRequestsTable.insert(order, request, of: id, at: now, in: db)
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
