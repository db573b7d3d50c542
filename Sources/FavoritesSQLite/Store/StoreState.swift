internal import Catalog
internal import FavoritesEngine
internal import MarvelDomain
internal import SQLiteFiles

/// The state of a store in memory. Only the writer changes it, after each commit.
struct StoreState: Sendable {
    /// The number of names of deleted lists.
    private(set) var deletedCount: Int

    /// The lists that were found damaged, in the audit or later.
    var damagedLists: Set<ListName>

    /// The edits that were found damaged.
    var damagedEdits: Set<DamagedEdit> = []

    /// The characters on these lists.
    private(set) var held: HeldCharacters

    /// The history in which the revisions of the lists count.
    private(set) var history: StoreHistory

    /// The bytes of all logs.
    private(set) var logs: LogBudget

    /// Which answers are old.
    var expiry: AnswerExpiry

    /// The reason that no change is accepted any more; nil while changes are accepted.
    private(set) var refusal: StoreError?

    /// The sum of the revisions of all names, also of deleted and dropped ones, and of the last edit: it grows with every
    /// change.
    private(set) var changeCount: Int64

    /// Reads the state of a store.
    ///
    /// - Parameters:
    ///   - db: A connection to the store.
    ///   - damagedLists: The lists that the audit found damaged.
    ///   - logByteSurplus: The bytes that the logs of whole lists have, above what the rows of these lists say.
    ///   - limits: The limits of the store.
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

    /// Takes the state after a group.
    mutating func committed(_ writer: GroupWriter, _ outcome: GroupOutcome) {
        for case .applied(let changes, _) in outcome.lists {
            for change in changes { held.apply(change) }
        }
        deletedCount = writer.deletedCount
        history = writer.history
        logs = writer.logs
        expiry = writer.expiry
        changeCount = changeCount.addingSaturated(writer.revisionCount)
    }

    /// Takes the state after an edit.
    mutating func committed(_ edited: EditedTables) {
        expiry = edited.expiry
        changeCount = changeCount.addingSaturated(edited.revisionCount)
    }

    /// Ends writing.
    ///
    /// - Returns: Whether this is the first reason, which is kept.
    @discardableResult
    mutating func endWriting(_ reason: String) -> Bool {
        guard refusal == nil else { return false }
        refusal = .notWritable(reason)
        return true
    }
}

/// Saturating arithmetic, for numbers from files, which may have any value.
extension Int64 {
    /// Returns the sum, or the nearest representable number.
    func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    /// Returns the difference, or the nearest representable number.
    func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other > 0 ? .min : .max) : difference
    }
}
