internal import FavoritesEngine
internal import MarvelDomain
internal import SQLiteFiles

struct ChangesTable {
    private let insertion: PreparedStatement
    private let oldest: PreparedStatement
    private let deletion: PreparedStatement

    init(_ db: Database) throws {
        insertion = try db.prepare("INSERT INTO changes (list, revision, change, digest) VALUES (?, ?, ?, ?)")
        // Two statements: one that selects what it deletes, and returns it, makes two temporary tables each time.
        oldest = try db.prepare(
            """
            SELECT revision, \(ChangesTable.byteCount) FROM changes
            WHERE list = ? AND revision <= ? ORDER BY revision LIMIT ?
            """
        )
        deletion = try db.prepare("DELETE FROM changes WHERE list = ? AND revision <= ?")
    }

    /// `state` is the list's state after the change.
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

    private static let columns = "revision, change, digest"

    /// Calls `body` with each change of a list, the oldest first.
    ///
    /// - Throws: Errors of SQLite, or `SQLITE_CORRUPT` if a value is of another type.
    static func forEach(of list: ListName, in db: Database, _ body: (StoreRecord.Change) -> Void) throws {
        let rows = try db.rows("SELECT \(columns) FROM changes WHERE list = ? ORDER BY revision", list.text)
        while let row = try rows.next() { body(try StoreRecord.Change(row)) }
    }

    /// The changes of a list after `revision`. `current` is the list's revision.
    ///
    /// - Throws: `DamagedList`, or errors of SQLite.
    static func history(
        of list: ListName,
        after revision: Int64,
        at current: Int64,
        limit: Int,
        in db: Database
    ) throws -> ChangeHistory {
        var reading = LogReading(after: revision)
        // The change at `revision` has the digest that proves the next one.
        var previous: Int64 = 0
        let rows = try db.rows(
            "SELECT \(columns) FROM changes WHERE list = ? AND revision >= ? ORDER BY revision",
            list.text,
            revision
        )
        // Behind a gap there may be another one: the caller must learn of the last.
        while reading.count < limit || reading.hasGap, let row = try rows.next() {
            let change = try DamagedList.reading(list) { try StoreRecord.Change(row) }
            defer { previous = change.digest }
            guard change.revision > revision else { continue }
            let digest = ChangeDigest.next(after: previous, revision: change.revision, text: change.text)
            reading.add(change.text, at: change.revision, isWhole: digest == change.digest)
        }
        return reading.history(at: current, limit: limit)
    }

    /// The oldest changes of all lists after a row, as the last revision for each list. They have `wanted` bytes
    /// together, if there are enough. They never include the newest change of the store, which the witness names.
    ///
    /// - Returns: The revisions, the number of the changes, and the last row, if any.
    /// - Throws: Errors of SQLite.
    static func oldest(
        after position: Int64,
        freeing wanted: Int64,
        limit: Int,
        in db: Database
    ) throws -> (revisions: [ListName: Int64], count: Int, position: Int64?) {
        var (revisions, count, last): ([ListName: Int64], Int, Int64?) = ([:], 0, nil)
        var rest = wanted
        let rows = try db.rows(
            """
            SELECT rowid, list, revision, \(byteCount) FROM changes
            WHERE rowid > ? AND rowid < (SELECT max(rowid) FROM changes) ORDER BY rowid LIMIT ?
            """,
            position,
            limit
        )
        while rest > 0, let row = try rows.next() {
            last = try row.read(at: 0)
            count += 1
            // A damaged row stays: it must not stop the commits of all lists.
            guard let list = try? ListName(stored: row.read(at: 1)), let revision: Int64 = try? row.read(at: 2),
                let byteCount: Int64 = try? row.read(at: 3)
            else { continue }
            rest -= byteCount
            revisions[list] = max(revisions[list] ?? 0, revision)
        }
        return (revisions, count, last)
    }

    /// The bytes of a change, in SQL. It casts, because the length of a text is its number of characters. A damaged
    /// text may have become null.
    private static let byteCount = "ifnull(length(CAST(change AS BLOB)), 0)"
}

extension StoreRecord.Change {
    fileprivate init(_ row: Row) throws {
        self.init(revision: try row.read(at: 0), text: try row.utf8(at: 1), digest: try row.read(at: 2))
    }
}

/// A digest of a change and all changes before it on its list. It reveals a change that is lost, altered or in the
/// wrong position, because the later digests no longer match.
///
/// It is FNV-1a with 64 bits, over the previous digest, the revision and the text. It protects against disk errors, not
/// against people. Anyone who can write the file could compute any hash, so a cryptographic one would only cost more. A
/// damaged record has the right digest by chance once in 2^64.
enum ChangeDigest {
    /// `previous` is 0 for the first change. `revision` is the list's after the change. `text` is the stored text.
    static func next(after previous: Int64, revision: Int64, text: [UInt8]) -> Int64 {
        var hash = FNV1a()
        hash.combine(number: previous)
        hash.combine(number: revision)
        text.withUnsafeBytes { hash.combine($0) }
        return Int64(bitPattern: hash.value)
    }
}
