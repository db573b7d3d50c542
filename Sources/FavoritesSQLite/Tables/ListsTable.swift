internal import GRDB
internal import MarvelDomain

/// The table of the lists' names and their last revisions. The name of a deleted list stays in it.
enum ListsTable {
    /// Returns the revision of a list, also of a deleted one; the base if there was never a list of that name.
    static func revision(of list: ListName, in db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: "SELECT ifnull((SELECT revision FROM lists WHERE name = ?), (SELECT base FROM history))"
        )
        return try Int64.fetchOne(statement, arguments: [list.text]) ?? 0
    }

    /// Returns the state of a list, also of a deleted one, without the ids on it; nil for an unknown name.
    static func state(of list: ListName, in db: Database) throws -> ListState? {
        let statement = try db.cachedStatement(sql: "SELECT revision, digest, log_bytes FROM lists WHERE name = ?")
        guard let row = try Row.fetchOne(statement, arguments: [list.text]) else { return nil }
        return try ListState(of: list, row, from: 0)
    }

    /// Returns the state of a list, and whether it exists: the name of a deleted list has a state too. Nil for an unknown
    /// name.
    static func list(_ name: ListName, in db: Database) throws -> (state: ListState, exists: Bool)? {
        // One query instead of two: each toggle pays for it.
        let statement = try db.cachedStatement(
            sql: """
                SELECT revision, digest, log_bytes, deletion IS NULL, character_id
                FROM lists LEFT JOIN favorites ON list = name WHERE name = ? ORDER BY saved_revision
                """
        )
        let rows = try Row.fetchCursor(statement, arguments: [name.text])
        guard let first = try rows.next() else { return nil }
        var state = try ListState(of: name, first, from: 0)
        let exists: Bool = try first.decode(atIndex: 3)
        var id: Int64? = try first.decode(atIndex: 4)
        while let next = id {
            state.ids.append(next)
            id = try rows.next()?.decode(atIndex: 4)
        }
        return (state, exists)
    }

    /// Writes a list's row. It creates the list if necessary; a deleted list exists again.
    static func set(_ state: ListState, of list: ListName, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO lists (name, revision, digest, log_bytes) VALUES (?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE
                SET revision = excluded.revision, digest = excluded.digest, log_bytes = excluded.log_bytes,
                    deletion = NULL
                """
        )
        try statement.execute(arguments: [list.text, state.revision, state.digest, state.logBytes])
    }

    /// Writes the state of a list after the last of its changes in this transaction, and deletes from its log the
    /// changes that need not be kept.
    static func finish(
        _ state: inout ListState,
        of list: ListName,
        after before: ListState,
        keeping count: Int64,
        in db: Database
    ) throws {
        if state.revision > count {
            // Each new change may remove two: so the log shrinks to its limit if it was ever above it.
            let limit = 2 * (state.revision - before.revision)
            state.logBytes -= try ChangesTable.prune(
                through: state.revision - count,
                of: list,
                limit: limit,
                in: db
            )
        }
        try set(state, of: list, in: db)
    }

    /// Writes the state after changes were cut from the log of a list, or of a deleted one.
    static func setLog(_ state: ListState, of list: ListName, in db: Database) throws {
        let statement = try db.cachedStatement(sql: "UPDATE lists SET digest = ?, log_bytes = ? WHERE name = ?")
        try statement.execute(arguments: [state.digest, state.logBytes, list.text])
    }

    /// Gives the name of a deleted list the next deletion number.
    static func markDeleted(_ list: ListName, in db: Database) throws {
        try db.execute(
            sql: "UPDATE lists SET deletion = (SELECT ifnull(max(deletion), 0) + 1 FROM lists) WHERE name = ?",
            arguments: [list.text]
        )
    }

    /// Returns the names of deleted lists beyond the newest `maximum`, the longest deleted first, with their states.
    static func oldestDeleted(above maximum: Int, in db: Database) throws -> [(list: ListName, state: ListState)] {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM lists WHERE deletion IS NOT NULL") ?? 0
        guard count > maximum else { return [] }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT name, revision, digest, log_bytes FROM lists WHERE deletion IS NOT NULL
                ORDER BY deletion LIMIT ?
                """,
            arguments: [count - maximum]
        )
        return try rows.map { row in
            let list = try ListName(stored: row.decode(atIndex: 0))
            return (list, try ListState(of: list, row, from: 1))
        }
    }

    /// Deletes a name, and all changes in its log.
    static func drop(_ list: ListName, in db: Database) throws {
        try db.execute(sql: "DELETE FROM changes WHERE list = ?", arguments: [list.text])
        try db.execute(sql: "DELETE FROM lists WHERE name = ?", arguments: [list.text])
    }

    /// Calls `body` with the state of each name, also of deleted lists, without the ids on the lists. They come in the
    /// order of their names, one at a time.
    static func forEach(in db: Database, _ body: (ListName, ListState) throws -> Void) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT name, revision, digest, log_bytes FROM lists ORDER BY name")
        while let row = try rows.next() {
            let list = try ListName(stored: row.decode(atIndex: 0))
            try body(list, try ListState(of: list, row, from: 1))
        }
    }

    /// Returns the number of lists that exist.
    static func count(in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM lists WHERE deletion IS NULL") ?? 0
    }

    /// Returns the sum of the revisions of all names, also of the dropped ones.
    static func revisionCount(in db: Database) throws -> Int64 {
        var sum = try StoreHistory.read(db).droppedRevisions
        try forEach(in: db) { _, state in sum = sum.addingSaturated(state.revision) }
        return sum
    }

    /// Returns a page of the lists that exist, in the order of their names.
    static func summaries(
        prefix: String,
        after: ListName?,
        limit: Int,
        in db: Database
    ) throws -> [ListSummary] {
        // `~` is above every letter of a name, so the names below `prefix~` are those that begin with the prefix.
        let statement = try db.cachedStatement(
            sql: """
                SELECT page.name, page.revision, favorites.character_id
                FROM (
                    SELECT name, revision FROM lists
                    WHERE deletion IS NULL AND name > ? AND name >= ? AND name < ? ORDER BY name LIMIT ?
                ) AS page LEFT JOIN favorites ON favorites.list = page.name
                ORDER BY page.name, favorites.saved_revision
                """
        )
        let rows = try Row.fetchCursor(statement, arguments: [after?.text ?? "", prefix, prefix + "~", limit])
        var summaries: [ListSummary] = []
        while let row = try rows.next() {
            let name: String = try row.decode(atIndex: 0)
            if summaries.last?.name.text != name {
                let revision: Int64 = try row.decode(atIndex: 1)
                summaries.append(ListSummary(name: try ListName(stored: name), revision: revision, ids: []))
            }
            let id: Int64? = try row.decode(atIndex: 2)
            if let id { summaries[summaries.count - 1].ids.append(id) }
        }
        return summaries
    }
}

extension ListState {
    /// Reads three columns: the revision, the digest and the bytes of the log.
    ///
    /// - Throws: `SQLITE_CORRUPT` if no list can be at that revision, or have a log of that size.
    init(of list: ListName, _ row: Row, from index: Int) throws {
        let revision: Int64 = try row.decode(atIndex: index)
        guard (0...ListState.maximumRevision).contains(revision) else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT,
                message: "list \(list) is at revision \(revision), which no list can reach"
            )
        }
        let logBytes: Int64 = try row.decode(atIndex: index + 2)
        guard (0...ListState.maximumLogBytes).contains(logBytes) else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT,
                message: "list \(list) has a log of \(logBytes) bytes, which no list can have"
            )
        }
        self.init(revision: revision, digest: try row.decode(atIndex: index + 1), logBytes: logBytes)
    }
}

extension ListName {
    /// Reads a stored name.
    ///
    /// - Throws: `SQLITE_CORRUPT` if the text is not a name.
    init(stored text: String) throws {
        guard !text.isEmpty, let name = ListName(text) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a list has an invalid name")
        }
        self = name
    }
}
