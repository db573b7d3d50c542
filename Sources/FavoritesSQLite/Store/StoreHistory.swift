internal import MarvelDomain
internal import SQLiteFiles

struct StoreHistory: Equatable {
    var id: HistoryID
    /// The revision of lists that do not exist.
    var base: Int64
    /// The revisions of deleted lists whose names were dropped. With those of all names, this is the number of changes.
    var droppedRevisions: Int64
    /// Whether the file is a copy made by `backup` that no server has opened yet.
    var isCopy: Bool

    /// - Throws: `SQLITE_CORRUPT` if the row is missing or damaged.
    static func read(_ db: Database) throws -> StoreHistory {
        let sql = "SELECT history, base, dropped_revisions, is_copy FROM history"
        guard let values = try db.first(sql, body: \.values),
            let id = Int64(values[0]), let base = Int64(values[1]),
            (0...ListState.maximumRevision).contains(base),
            let dropped = Int64(values[2]), dropped >= 0,
            let isCopy = Bool(values[3])
        else { throw DatabaseError.damaged("the store has no history id") }
        return StoreHistory(id: HistoryID(id), base: base, droppedRevisions: dropped, isCopy: isCopy)
    }

    /// It grows with every change of a list and every edit.
    static func changeCount(in db: Database) throws -> Int64 {
        try read(db).droppedRevisions.addingSaturated(ListsTable.revisionSum(in: db))
            .addingSaturated(EditsTable.newestRevision(in: db))
    }

    func write(in db: Database) throws {
        try db.run("UPDATE history SET base = ?, dropped_revisions = ?", base, droppedRevisions)
    }

    /// A server recognizes a copy by the mark, if it was put in the store's place by hand.
    static func markAsCopy(_ db: Database) throws {
        try db.execute("UPDATE history SET is_copy = 1")
    }

    /// Begins a new history: every list continues at a revision that no earlier history has used, and all kept changes
    /// are deleted. Favorites and answers stay. `floor` is a revision that another history of this store has reached.
    /// The caller has begun a transaction.
    ///
    /// - Throws: `SQLITE_CORRUPT` if there are no revisions left.
    static func renew(above floor: Int64 = 0, in db: Database) throws {
        let before = try read(db)
        let answered = try db.value("SELECT max(revision) FROM answers", as: Int64.self) ?? 0
        var highest = max(before.base, answered, try ListsTable.highestRevision(in: db))
        let edited = try EditsTable.newestRevision(in: db)
        if edited <= ListState.maximumRevision { highest = max(highest, edited) }
        // The floor is from another file, so it may be any number.
        guard let base = nextBase(after: max(highest, floor)) ?? nextBase(after: highest) else {
            throw DatabaseError.damaged("revision \(highest) leaves no room for another")
        }
        try db.execute("DELETE FROM changes")
        // A list with favorites is not deleted: its row is damaged.
        try db.execute(
            """
            DELETE FROM lists
            WHERE deletion IS NOT NULL AND NOT EXISTS (SELECT 1 FROM favorites WHERE list = name)
            """
        )
        // A damaged list gets a checksum that does not match either.
        try StoreSchema.addFunctions(to: db)
        let checksum = RowChecksum.ofList(revision: "?1")
        try db.run(
            """
            UPDATE lists SET revision = ?1, digest = 0, log_bytes = 0, checksum = CASE checksum
                WHEN \(RowChecksum.ofList(revision: "revision")) THEN \(checksum) ELSE ~\(checksum) END
            """,
            base
        )
        try db.run(
            "UPDATE history SET history = ?, base = ?, dropped_revisions = 0, is_copy = 0",
            Int64.random(in: 0 ... .max),
            base
        )
    }

    /// The next multiple of 2^32 above a revision; nil above the maximum.
    static func nextBase(after revision: Int64) -> Int64? {
        let (next, overflow) = ((revision >> 32) + 1).multipliedReportingOverflow(by: 1 << 32)
        return overflow || next > ListState.maximumRevision ? nil : next
    }
}

extension HistoryRenewal {
    /// Begins a new history if the store's own may be incomplete. `progress` is from the witness of the store that was
    /// served last. The caller has not begun a transaction.
    ///
    /// - Returns: The reason; nil if the history was kept.
    /// - Throws: Errors of SQLite.
    static func renewIfDue(
        _ report: StoreReport,
        _ progress: StoreWitness.Progress?,
        in db: Database
    ) throws -> HistoryRenewal? {
        let history = try StoreHistory.read(db)
        guard let reason = reason(history, report, progress) else { return nil }
        try db.committed { try StoreHistory.renew(above: max(0, progress?.revision ?? 0), in: db) }
        return reason
    }

    private static func reason(
        _ history: StoreHistory,
        _ report: StoreReport,
        _ progress: StoreWitness.Progress?
    ) -> HistoryRenewal? {
        if history.isCopy { return .copy }
        if report.hasLostItsEnd { return .loss }
        // A history that begins above the revisions that were served before is new already: it was restored or renewed.
        guard let progress, let witnessed = progress.history, witnessed != history.id else { return nil }
        return progress.revision > 0 && history.base <= progress.revision ? .replacement : nil
    }
}
