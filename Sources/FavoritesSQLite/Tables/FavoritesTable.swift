internal import GRDB
internal import MarvelDomain

/// The table of the favorites on each list.
enum FavoritesTable {
    /// Returns the favorites on a list, oldest first.
    static func favorites(on list: ListName, in db: Database) throws -> [Favorite] {
        let statement = try db.cachedStatement(
            sql: "SELECT snapshot FROM favorites WHERE list = ? ORDER BY saved_revision"
        )
        return try String.fetchAll(statement, arguments: [list.text]).map(FavoriteJSON.favorite)
    }

    /// Returns a favorite that is on a list.
    ///
    /// - Throws: `SQLITE_CORRUPT` if it is missing, though the list in memory has it.
    static func stored(_ id: Int64, on list: ListName, in db: Database) throws -> StoredFavorite {
        let statement = try db.cachedStatement(
            sql: "SELECT snapshot FROM favorites WHERE list = ? AND character_id = ?"
        )
        guard let text = try String.fetchOne(statement, arguments: [list.text, id]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a favorite is missing")
        }
        return try StoredFavorite(text: text)
    }

    static func insert(_ stored: StoredFavorite, on list: ListName, revision: Int64, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "INSERT INTO favorites (list, character_id, saved_revision, snapshot) VALUES (?, ?, ?, ?)"
        )
        try statement.execute(arguments: [list.text, stored.favorite.character.id, revision, stored.text])
    }

    /// Replaces the snapshot of a favorite, which keeps its position.
    static func update(_ stored: StoredFavorite, on list: ListName, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "UPDATE favorites SET snapshot = ? WHERE list = ? AND character_id = ?"
        )
        try statement.execute(arguments: [stored.text, list.text, stored.favorite.character.id])
    }

    /// Returns each favorite on a list: its id, the revision that saved it, and its text.
    static func rows(on list: ListName, in db: Database) throws -> [(id: Int64, revision: Int64, text: String)] {
        let statement = try db.cachedStatement(
            sql: "SELECT character_id, saved_revision, snapshot FROM favorites WHERE list = ? ORDER BY saved_revision"
        )
        return try Row.fetchAll(statement, arguments: [list.text]).map { row in
            (try row.decode(atIndex: 0), try row.decode(atIndex: 1), try row.decode(atIndex: 2))
        }
    }

    static func delete(_ id: Int64, from list: ListName, in db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM favorites WHERE list = ? AND character_id = ?")
        try statement.execute(arguments: [list.text, id])
    }

    /// Returns the ids on every list, oldest first.
    static func allIDs(in db: Database) throws -> [ListName: [Int64]] {
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT list, character_id FROM favorites ORDER BY list, saved_revision"
        )
        var ids: [ListName: [Int64]] = [:]
        while let row = try rows.next() {
            ids[try ListName(stored: row.decode(atIndex: 0)), default: []].append(try row.decode(atIndex: 1))
        }
        return ids
    }
}
