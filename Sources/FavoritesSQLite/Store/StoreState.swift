internal import FavoritesEngine
internal import MarvelDomain
internal import SQLiteFiles

struct StoreState: Sendable {
    private(set) var deletedCount: Int

    var damagedLists: Set<ListName>

    var damagedEdits: Set<DamagedEdit> = []

    private(set) var held: HeldCharacters

    private(set) var history: StoreHistory

    private(set) var logs: LogBudget

    var expiry: AnswerExpiry

    /// Nil while changes are accepted.
    private(set) var refusal: StoreError?

    /// The sum of the revisions of all names, also of deleted and dropped ones, and of the last edit: it grows with
    /// every change.
    private(set) var changeCount: Int64

    /// `logByteSurplus` is the bytes that the logs of whole lists have above what their rows say.
    ///
    /// - Throws: Errors of SQLite.
    init(
        reading db: Database,
        damagedLists: Set<ListName>,
        logByteSurplus: Int64,
        _ limits: StoreLimits
    ) throws {
        self.damagedLists = damagedLists
        expiry = AnswerExpiry(maximumCount: limits.answers)
        deletedCount = try ListsTable.deletedCount(in: db)
        held = try HeldCharacters(reading: db, excluding: damagedLists)
        history = try StoreHistory.read(db)
        changeCount = try StoreHistory.changeCount(in: db)
        // Without those of damaged lists, which are never cut.
        var logBytes = logByteSurplus
        try ListsTable.forEach(in: db) { list, state in
            if !damagedLists.contains(list) { logBytes = logBytes.addingSaturated(state.logBytes) }
        }
        logs = LogBudget(maximum: limits.logBytes, byteCount: max(0, logBytes))
    }

    mutating func committed(_ writer: GroupWriter, _ outcome: GroupOutcome) {
        for case .applied(let changes) in outcome.lists {
            for change in changes.compactMap(\.change) { held.apply(change) }
        }
        deletedCount = writer.deletedCount
        history = writer.history
        logs = writer.logs
        expiry = writer.expiry
        changeCount = changeCount.addingSaturated(writer.revisionCount)
    }

    mutating func committed(_ edited: EditedTables) {
        expiry = edited.expiry
        changeCount = changeCount.addingSaturated(edited.revisionCount)
    }

    /// Returns whether this is the first reason, which is kept.
    @discardableResult
    mutating func endWriting(_ reason: String) -> Bool {
        guard refusal == nil else { return false }
        refusal = .notWritable(reason)
        return true
    }
}

/// Saturating arithmetic, for numbers from files, which may have any value.
extension Int64 {
    func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other > 0 ? .min : .max) : difference
    }
}
