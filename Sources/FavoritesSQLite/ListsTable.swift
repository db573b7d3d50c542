internal import GRDB
internal import MarvelDomain

/// The lists that exist, and where each is in its history.
enum ListsTable {
    /// 0 for a list that does not exist.
    static func revision(of list: ListName, in db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(sql: "SELECT revision FROM lists WHERE name = ?")
        return try Int64.fetchOne(statement, arguments: [list.text]) ?? 0
    }

    /// Creates the list if need be.
    static func set(_ state: ListState, of list: ListName, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO lists (name, revision, digest) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET revision = excluded.revision, digest = excluded.digest
                """
        )
        try statement.execute(arguments: [list.text, state.revision, state.digest])
    }

    /// Every list, with the ids on it.
    static func all(in db: Database) throws -> [ListName: ListState] {
        var ids = try FavoritesTable.allIDs(in: db)
        var lists: [ListName: ListState] = [:]
        let rows = try Row.fetchCursor(db, sql: "SELECT name, revision, digest FROM lists")
        while let row = try rows.next() {
            let list = try ListName(stored: row[0])
            lists[list] = ListState(revision: row[1], digest: row[2], ids: ids.removeValue(forKey: list) ?? [])
        }
        // A favorite refers to its list: one without it is on no list.
        guard ids.isEmpty else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return lists
    }
}

extension ListName {
    /// - Throws: `SQLITE_CORRUPT` if the text is no name.
    init(stored text: String) throws {
        guard !text.isEmpty, let name = ListName(text) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a list has a name that is none")
        }
        self = name
    }
}
