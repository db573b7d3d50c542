internal import GRDB
internal import MarvelDomain

/// The lists that exist, and where each is in its history.
enum ListsTable {
    /// 0 for a list that does not exist.
    static func revision(of list: ListName, in db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(sql: "SELECT revision FROM lists WHERE name = ?")
        return try Int64.fetchOne(statement, arguments: [list.text]) ?? 0
    }

    /// Without the ids on it.
    static func state(of list: ListName, in db: Database) throws -> ListState {
        let row = try Row.fetchOne(db, sql: "SELECT revision, digest FROM lists WHERE name = ?", arguments: [list.text])
        guard let row else { return ListState() }
        return try ListState(of: list, revision: row.decode(atIndex: 0), digest: row.decode(atIndex: 1))
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

    /// Writes down where a list is after the last of its changes in this transaction, and drops from its log what need
    /// not be kept.
    static func finish(
        _ state: ListState,
        of list: ListName,
        after before: ListState?,
        keeping count: Int64,
        in db: Database
    ) throws {
        try set(state, of: list, in: db)
        guard state.revision > count else { return }
        // For each that came two may leave: the log shrinks to its limit if it was ever above.
        let limit = 2 * (state.revision - (before?.revision ?? 0))
        try ChangesTable.prune(through: state.revision - count, of: list, limit: limit, in: db)
    }

    /// Every list, with the ids on it.
    static func all(in db: Database) throws -> [ListName: ListState] {
        var ids = try FavoritesTable.allIDs(in: db)
        var lists: [ListName: ListState] = [:]
        let rows = try Row.fetchCursor(db, sql: "SELECT name, revision, digest FROM lists")
        while let row = try rows.next() {
            let list = try ListName(stored: row.decode(atIndex: 0))
            var state = try ListState(of: list, revision: row.decode(atIndex: 1), digest: row.decode(atIndex: 2))
            state.ids = ids.removeValue(forKey: list) ?? []
            lists[list] = state
        }
        // A favorite refers to its list: one without it is on no list.
        guard ids.isEmpty else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return lists
    }

    /// The sum of the revisions of all lists.
    static func changeCount(in db: Database) throws -> Int64 {
        let revisions = try Int64.fetchCursor(db, sql: "SELECT revision FROM lists")
        var sum: Int64 = 0
        while let revision = try revisions.next() { sum = sum.addingSaturated(revision) }
        return sum
    }
}

extension ListState {
    /// - Throws: `SQLITE_CORRUPT` if no list can be at that revision.
    fileprivate init(of list: ListName, revision: Int64, digest: Int64) throws {
        guard (0...ListState.maximumRevision).contains(revision) else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT,
                message: "list \(list) is at revision \(revision), which no list can reach"
            )
        }
        self.init(revision: revision, digest: digest)
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
