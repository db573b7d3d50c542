internal import FavoritesEngine
internal import MarvelDomain
internal import SQLiteFiles

struct StoreState: Sendable {
    var damagedLists: Set<ListName>
    var damagedEdits: Set<DamagedEdit> = []
    private(set) var held: HeldCharacters
    var writer: WriterState
    /// Nil while changes are accepted.
    private(set) var refusal: StoreError?
    /// The reason that the last change failed; nil after one that was committed.
    var writeFailure: String?

    var history: StoreHistory { writer.history }

    /// - Throws: Errors of SQLite.
    init(reading db: Database, _ report: StoreReport, _ limits: StoreLimits) throws {
        damagedLists = report.damagedLists
        held = try HeldCharacters(reading: db)
        writer = try WriterState(reading: db, report, limits)
    }

    mutating func committed(_ state: WriterState, _ outcome: GroupOutcome) {
        for case .applied(let changes) in outcome.lists {
            for change in changes.compactMap(\.change) { held.apply(change) }
        }
        writer = state
    }

    /// Returns whether this is the first reason, which is kept.
    @discardableResult
    mutating func endWriting(_ reason: String) -> Bool {
        guard refusal == nil else { return false }
        refusal = .notWritable(reason)
        return true
    }
}

/// The state that only the writer changes. It changes a copy in a transaction, and the store takes that once the
/// transaction is on disk.
struct WriterState: Sendable {
    var history: StoreHistory
    /// The number of names of deleted lists.
    var deletedCount: Int
    var logs: LogBudget
    var expiry: AnswerExpiry
    /// The sum of the revisions of all names, also of deleted and dropped ones, and of the last edit: it grows with
    /// every change.
    private(set) var changeCount: Int64

    /// - Throws: Errors of SQLite.
    fileprivate init(reading db: Database, _ report: StoreReport, _ limits: StoreLimits) throws {
        expiry = AnswerExpiry(maximumCount: limits.retention.answers)
        deletedCount = try ListsTable.deletedCount(in: db)
        history = try StoreHistory.read(db)
        changeCount = try StoreHistory.changeCount(in: db)
        // A new history has emptied the logs. Those of damaged lists are never cut.
        logs = LogBudget(maximum: limits.logBytes, byteCount: report.renewal == nil ? report.logBytes : 0)
    }

    mutating func addChanges(_ count: Int64) { changeCount = changeCount.addingSaturated(count) }
}

/// The bytes of the kept changes of all lists, and their limit. Above it the oldest changes of the store are deleted,
/// whatever their lists. Each commit deletes a few more than it adds, so that no commit takes long.
struct LogBudget: Sendable {
    /// The maximum of changes that a commit deletes, besides twice those that it adds.
    static let changesPerCommit = 64

    private let maximum: Int64
    private(set) var byteCount: Int64
    /// The row of the newest examined change. The remaining older ones belong to damaged lists.
    var position: Int64 = 0

    /// Both in bytes.
    init(maximum: Int64, byteCount: Int64) {
        self.maximum = maximum
        self.byteCount = byteCount
    }

    var excess: Int64 { max(0, byteCount - maximum) }

    mutating func add(_ count: Int64) { byteCount = max(0, byteCount.addingSaturated(count)) }
}

/// The characters on any list, with the number of lists of each. It grows with the characters, and not with the lists.
///
/// An index by character would do the same, and slow down every toggle.
struct HeldCharacters: Sendable, Equatable {
    private var listCounts: [Int64: Int] = [:]

    /// Damaged lists count too: an operator may restore them, and their characters keep their pictures.
    ///
    /// - Throws: Errors of SQLite.
    init(reading db: Database) throws {
        let rows = try db.rows(
            """
            SELECT favorites.character_id FROM favorites JOIN lists ON lists.name = favorites.list
            WHERE lists.deletion IS NULL
            """
        )
        while let row = try rows.next() {
            // A value of another type is on a list with an invalid name.
            if let id = Int64(try row.read(at: 0)) { listCounts[id, default: 0] += 1 }
        }
    }

    func contains(_ id: Int64) -> Bool { listCounts[id] != nil }

    func count(excluding ids: Set<Int64>) -> Int { listCounts.keys.count { !ids.contains($0) } }

    mutating func apply(_ change: FavoritesChange) {
        if let saved = change.saved { listCounts[saved.character.id, default: 0] += 1 }
        change.forEachLeavingID { id in
            let count = listCounts[id] ?? 0
            listCounts[id] = count > 1 ? count - 1 : nil
        }
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
