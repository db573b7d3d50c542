internal import GRDB
internal import MarvelDomain

/// What a store knows without asking the disk. Changed by the writer alone, after each commit.
struct StoreState: Sendable {
    /// Every list that exists.
    private(set) var lists: [ListName: ListState]

    /// The history in which the revisions of the lists count.
    private(set) var history: StoreHistory

    /// The bytes of all logs.
    private(set) var logs: LogBudget

    /// Why no change is taken any more; nil while changes are taken.
    private(set) var refusal: StoreError?

    /// The sum of the revisions of all names, deleted and dropped ones too: it grows with every change.
    private(set) var changeCount: Int64

    /// Pages in the log at the last checkpoint.
    var logFrameCount = 0

    private var log = LogGrowth()

    /// Reads what is not in `lists`.
    ///
    /// - Parameters:
    ///   - db: Of the store.
    ///   - lists: Every list that exists.
    ///   - maximumLogBytes: The bound on the bytes of all logs.
    /// - Throws: What SQLite threw.
    init(reading db: Database, lists: [ListName: ListState], maximumLogBytes: Int64) throws {
        self.lists = lists
        history = try StoreHistory.read(db)
        changeCount = try ListsTable.revisionCount(in: db)
        let logBytes = try Int64.fetchOne(db, sql: "SELECT ifnull(sum(log_bytes), 0) FROM lists") ?? 0
        logs = LogBudget(maximum: maximumLogBytes, byteCount: logBytes)
    }

    mutating func committed(_ group: ToggleGroup, toggleCount: Int) {
        lists.merge(group.lists) { $1 }
        for list in group.deleted { lists[list] = nil }
        history = group.history
        logs = group.logs
        changeCount = changeCount.addingSaturated(group.revisionCount)
        wrote(toggleCount: toggleCount)
    }

    /// Takes note of a commit of so many toggles, or of as many bytes.
    mutating func wrote(toggleCount: Int) { log.committed(toggleCount: toggleCount) }

    /// Whether it is time to copy the log; if so the count begins anew, so that a copy that fails (the disk is full) is
    /// not tried at once again.
    mutating func beginCheckpoint() -> Bool {
        guard refusal == nil, log.isDue else { return false }
        log = LogGrowth()
        return true
    }

    /// - Returns: Whether this is the first reason, which stays.
    @discardableResult
    mutating func endWriting(_ reason: String) -> Bool {
        guard refusal == nil else { return false }
        refusal = .notWritable(reason)
        return true
    }
}

/// How much was written to the log since it was last copied into the store file.
private struct LogGrowth {
    private var commits = 0
    private var toggles = 0

    mutating func committed(toggleCount: Int) {
        commits += 1
        toggles += toggleCount
    }

    /// About 8 MB: a commit of one toggle writes some 8 pages of 4 KiB, and in a large group each toggle one or two.
    var isDue: Bool { commits >= 250 || toggles >= 4_000 }
}

/// For numbers that are read from files, which may be any.
extension Int64 {
    /// The sum, or the nearest number there is.
    func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    /// The difference, or the nearest number there is.
    func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other > 0 ? .min : .max) : difference
    }
}
