internal import GRDB
internal import MarvelDomain

/// The history that a store holds, and where lists begin in it.
struct StoreHistory: Equatable {
    var id: HistoryID
    /// The revision of lists that are not there.
    var base: Int64
    /// The revisions of deleted lists whose names were dropped: with those of all names it is the number of changes.
    var droppedRevisions: Int64
    /// Whether the file is a copy made by `backup` that no server has opened yet.
    var isCopy: Bool

    /// - Throws: `SQLITE_CORRUPT` if the row is missing or damaged.
    static func read(_ db: Database) throws -> StoreHistory {
        let row = try Row.fetchOne(db, sql: "SELECT history, base, dropped_revisions, is_copy FROM history")
        guard let values = row.map({ Array($0.databaseValues) }),
            let id = Int64.fromDatabaseValue(values[0]), let base = Int64.fromDatabaseValue(values[1]),
            (0...ListState.maximumRevision).contains(base),
            let dropped = Int64.fromDatabaseValue(values[2]), dropped >= 0,
            let isCopy = Bool.fromDatabaseValue(values[3])
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the store does not say which it is") }
        return StoreHistory(id: HistoryID(id), base: base, droppedRevisions: dropped, isCopy: isCopy)
    }

    /// Writes down the base, and the revisions that were dropped.
    func write(in db: Database) throws {
        try db.execute(
            sql: "UPDATE history SET base = ?, dropped_revisions = ?",
            arguments: [base, droppedRevisions]
        )
    }

    /// Marks a copy, so that one that is put in the store's place by hand is known for what it is.
    static func markAsCopy(_ db: Database) throws {
        try db.execute(sql: "UPDATE history SET is_copy = 1")
    }

    /// Begins a new history: every list goes on at a revision that no history before has used, and no change is kept.
    /// Favorites and answers stay.
    ///
    /// - Parameters:
    ///   - floor: A revision that another history of this store is known to have reached.
    ///   - db: In a transaction.
    /// - Throws: `SQLITE_CORRUPT` if there are no revisions left.
    static func renew(above floor: Int64 = 0, in db: Database) throws {
        let before = try read(db)
        let used = try Int64.fetchAll(
            db,
            sql: "SELECT ifnull(max(revision), 0) FROM lists UNION ALL SELECT ifnull(max(revision), 0) FROM answers"
        )
        let highest = used.reduce(before.base, max)
        // The floor is from another file, which may say anything.
        guard let base = nextBase(after: max(highest, floor)) ?? nextBase(after: highest) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "revision \(highest) leaves no room for another")
        }
        try db.execute(sql: "DELETE FROM changes")
        try db.execute(sql: "DELETE FROM lists WHERE deletion IS NOT NULL")
        try db.execute(sql: "UPDATE lists SET revision = ?, digest = 0, log_bytes = 0", arguments: [base])
        try db.execute(
            sql: "UPDATE history SET history = ?, base = ?, dropped_revisions = 0, is_copy = 0",
            arguments: [HistoryID.random().value, base]
        )
    }

    /// The next multiple of 2^32 above a revision; nil if there is none.
    static func nextBase(after revision: Int64) -> Int64? {
        let (next, overflow) = ((revision >> 32) + 1).multipliedReportingOverflow(by: 1 << 32)
        return overflow || next > ListState.maximumRevision ? nil : next
    }
}

/// The reason why a store began a new history when it was opened.
package enum HistoryRenewal: String, Sendable, Hashable, Encodable {
    /// A copy that `backup` made was put in the store's place.
    case copy
    /// Changes that were acknowledged are not there.
    case loss
    /// Another store was put in the place of the one that was served before.
    case replacement

    /// Begins a new history if the one that the store holds is not known to be whole.
    ///
    /// - Parameters:
    ///   - report: The finding of the audit.
    ///   - account: The witness of what was served last.
    ///   - db: Not in a transaction.
    /// - Returns: Why it was done; nil if it was not.
    /// - Throws: What SQLite threw.
    static func renewIfDue(
        _ report: StoreReport,
        _ account: StoreWitness.Account?,
        in db: Database
    ) throws -> HistoryRenewal? {
        let history = try StoreHistory.read(db)
        guard let reason = reason(history, report, account) else { return nil }
        try db.committed { try StoreHistory.renew(above: max(0, account?.revision ?? 0), in: db) }
        return reason
    }

    private static func reason(
        _ history: StoreHistory,
        _ report: StoreReport,
        _ account: StoreWitness.Account?
    ) -> HistoryRenewal? {
        if history.isCopy { return .copy }
        if report.hasLostItsEnd { return .loss }
        // One that begins above what was served before needs no other: it was restored, or renewed already.
        guard let account, let witnessed = account.history, witnessed != history.id else { return nil }
        return account.revision > 0 && history.base <= account.revision ? .replacement : nil
    }
}
