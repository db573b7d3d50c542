internal import GRDB
internal import MarvelDomain
internal import SQLiteFiles

/// The table of the last changes of each list, with the statements of the writer.
struct ChangesTable {
    private let insertion: PreparedStatement
    private let oldest: PreparedStatement
    private let deletion: PreparedStatement

    init(_ db: Database) throws {
        insertion = try PreparedStatement(
            "INSERT INTO changes (list, revision, change, digest) VALUES (?, ?, ?, ?)",
            in: db
        )
        // Two statements: one that selects what it deletes, and returns it, makes two temporary tables each time.
        oldest = try PreparedStatement(
            """
            SELECT revision, \(ChangesTable.byteCount) FROM changes
            WHERE list = ? AND revision <= ? ORDER BY revision LIMIT ?
            """,
            in: db
        )
        deletion = try PreparedStatement("DELETE FROM changes WHERE list = ? AND revision <= ?", in: db)
    }

    var statements: [PreparedStatement] { [insertion, oldest, deletion] }

    /// Adds a change. `state` is the list's state after the change.
    func insert(_ text: [UInt8], of list: ListName, _ state: ListState) throws {
        try insertion.run { values in
            values.add(list.text)
            values.add(state.revision)
            values.add(utf8: text)
            values.add(state.digest)
        }
    }

    /// Deletes up to `limit` changes at or before `revision`, the oldest first, so that a commit's work is bounded.
    ///
    /// - Returns: The bytes of the deleted changes.
    func prune(through revision: Int64, of list: ListName, limit: Int64) throws -> Int64 {
        var (byteCount, last): (Int64, Int64?) = (0, nil)
        try oldest.run { values in
            values.add(list.text)
            values.add(revision)
            values.add(limit)
        } forEachRow: { row in
            last = try row.integer(at: 0)
            byteCount += try row.integer(at: 1)
        }
        guard let last else { return 0 }
        try deletion.run { values in
            values.add(list.text)
            values.add(last)
        }
        return byteCount
    }

    /// Returns the changes after `revision`, oldest first.
    static func changes(
        of list: ListName,
        after revision: Int64,
        limit: Int,
        in db: Database
    ) throws -> [FavoritesChange] {
        let statement = try db.cachedStatement(
            sql: "SELECT revision, change FROM changes WHERE list = ? AND revision > ? ORDER BY revision LIMIT ?"
        )
        return try Row.fetchAll(statement, arguments: [list.text, revision, limit]).map { row in
            try ChangeJSON.change(try row.read("change"), revision: try row.read("revision"))
        }
    }

    /// Returns the smallest revision after which no change is missing, for a list that is at `revision`.
    ///
    /// It reads all kept revisions, from the newest back: a disk that lost a page leaves a gap, and the changes before
    /// a gap are useless.
    static func oldestComplete(of list: ListName, at revision: Int64, in db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: "SELECT revision FROM changes WHERE list = ? ORDER BY revision DESC"
        )
        var oldest = revision
        let kept = try Int64.fetchCursor(statement, arguments: [list.text])
        while let next = try kept.next(), next == oldest { oldest -= 1 }
        return oldest
    }

    /// Deletes the oldest changes up to `revision`: as many as free `wanted` bytes, or all if they have fewer.
    ///
    /// - Returns: The bytes of the deleted changes.
    static func prune(bytes wanted: Int64, through revision: Int64, of list: ListName, in db: Database) throws -> Int64
    {
        let oldest = try db.cachedStatement(
            sql: "SELECT revision, \(byteCount) FROM changes WHERE list = ? AND revision <= ? ORDER BY revision"
        )
        var (freed, last): (Int64, Int64?) = (0, nil)
        let rows = try Row.fetchCursor(oldest, arguments: [list.text, revision])
        while freed < wanted, let row = try rows.next() {
            last = try row.decode(atIndex: 0)
            freed += try row.decode(atIndex: 1)
        }
        guard let last else { return 0 }
        let delete = try db.cachedStatement(sql: "DELETE FROM changes WHERE list = ? AND revision <= ?")
        try delete.execute(arguments: [list.text, last])
        return freed
    }

    /// The bytes of a change, in SQL. It casts, because the length of a text is its number of characters.
    private static let byteCount = "length(CAST(change AS BLOB))"
}
