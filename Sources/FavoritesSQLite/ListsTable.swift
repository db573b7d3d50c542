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
    static func setRevision(_ revision: Int64, of list: ListName, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO lists (name, revision) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET revision = excluded.revision
                """
        )
        try statement.execute(arguments: [list.text, revision])
    }

    /// SQLite counts by the page, so this is cheap enough for each new list.
    static func count(in db: Database) throws -> Int {
        let statement = try db.cachedStatement(sql: "SELECT count(*) FROM lists")
        return try Int.fetchOne(statement) ?? 0
    }
}
