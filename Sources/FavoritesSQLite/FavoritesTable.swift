internal import GRDB
internal import MarvelDomain

/// What is on each list.
enum FavoritesTable {
    /// Oldest first.
    static func ids(on list: ListName, in db: Database) throws -> [Int64] {
        let statement = try db.cachedStatement(
            sql: "SELECT character_id FROM favorites WHERE list = ? ORDER BY saved_revision"
        )
        return try Int64.fetchAll(statement, arguments: [list.text])
    }

    /// Oldest first.
    static func favorites(on list: ListName, in db: Database) throws -> [Favorite] {
        try oldest(-1, on: list, in: db)
    }

    /// The `count` oldest, or all if it is negative.
    static func oldest(_ count: Int, on list: ListName, in db: Database) throws -> [Favorite] {
        let statement = try db.cachedStatement(
            sql: "SELECT snapshot FROM favorites WHERE list = ? ORDER BY saved_revision LIMIT ?"
        )
        return try String.fetchAll(statement, arguments: [list.text, count]).map(FavoriteSnapshot.favorite)
    }

    static func insert(_ favorite: Favorite, on list: ListName, revision: Int64, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "INSERT INTO favorites (list, character_id, saved_revision, snapshot) VALUES (?, ?, ?, ?)"
        )
        let snapshot = try FavoriteSnapshot.text(favorite)
        try statement.execute(arguments: [list.text, favorite.character.id, revision, snapshot])
    }

    static func delete(_ id: Int64, from list: ListName, in db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM favorites WHERE list = ? AND character_id = ?")
        try statement.execute(arguments: [list.text, id])
    }

    /// The ids on every list, oldest first.
    static func allIDs(in db: Database) throws -> [ListName: [Int64]] {
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT list, character_id FROM favorites ORDER BY list, saved_revision"
        )
        var ids: [ListName: [Int64]] = [:]
        while let row = try rows.next() {
            let text: String = row[0]
            guard let list = ListName(text) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            ids[list, default: []].append(row[1])
        }
        return ids
    }
}
