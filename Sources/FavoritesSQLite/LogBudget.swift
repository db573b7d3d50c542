internal import GRDB
internal import MarvelDomain

/// The bytes of the changes that are kept of all lists, and what is done when they pass their bound.
///
/// Then the longest logs are cut to one length, which is chosen so that their sum falls a sixteenth below the bound.
/// Each commit does a part of it, so that none takes long.
struct LogBudget: Sendable {
    private let maximum: Int64
    private(set) var byteCount: Int64
    /// The number of bytes at which logs are cut.
    private var threshold: Int64
    private(set) var trimming: LogTrimming?

    /// - Parameters:
    ///   - maximum: The bound, in bytes.
    ///   - byteCount: The bytes that are kept now.
    init(maximum: Int64, byteCount: Int64) {
        self.maximum = maximum
        self.byteCount = byteCount
        threshold = maximum
    }

    private var goal: Int64 { maximum - maximum / 16 }

    /// Takes note of a log that grew, or became shorter.
    mutating func add(_ count: Int64) { byteCount = max(0, byteCount.addingSaturated(count)) }

    /// Begins to cut if that is due.
    mutating func beginIfDue(in db: Database) throws {
        guard trimming == nil, byteCount > threshold else { return }
        trimming = try LogTrimming(total: byteCount, goal: goal, in: db)
    }

    /// The next list whose log is too long; nil if there is none.
    var next: (list: ListName, length: Int64)? { trimming?.next }

    /// Goes on to the list after `next`.
    mutating func advance() {
        trimming?.advance()
        guard trimming?.next == nil else { return }
        trimming = nil
        // The last change of each list stays. If these alone are too many, looking at all lists again would not help.
        threshold = max(maximum, byteCount + maximum / 16)
    }
}

/// The logs that are cut to one length, the longest first.
struct LogTrimming: Sendable {
    /// In bytes: no log is longer when all were cut.
    let length: Int64
    private let lists: [ListName]
    private var index = 0

    /// Finds the longest logs, as many as have to be cut.
    ///
    /// - Parameters:
    ///   - total: The sum of the bytes of all logs.
    ///   - goal: What the sum is to be at most.
    ///   - db: Of the store.
    /// - Throws: What SQLite threw.
    init(total: Int64, goal: Int64, in db: Database) throws {
        var lists: [ListName] = []
        var cut = LogCut(total: total, goal: goal)
        let rows = try Row.fetchCursor(db, sql: "SELECT name, log_bytes FROM lists ORDER BY log_bytes DESC")
        while let row = try rows.next(), cut.add(try row.decode(atIndex: 1)) {
            lists.append(try ListName(stored: row.decode(atIndex: 0)))
        }
        self.lists = lists
        length = cut.length
    }

    var next: (list: ListName, length: Int64)? { index < lists.count ? (lists[index], length) : nil }

    mutating func advance() { index += 1 }
}

/// The length to which the longest of some logs are cut, so that the sum of all is at most a goal.
struct LogCut {
    private let goal: Int64
    /// The sum of those that are not cut.
    private var rest: Int64
    private var count: Int64 = 0

    /// - Parameters:
    ///   - total: The sum of all, above `goal`.
    ///   - goal: In bytes.
    init(total: Int64, goal: Int64) {
        self.goal = goal
        rest = total
    }

    /// In bytes, of each log that is cut.
    var length: Int64 { count == 0 ? 0 : max(0, (goal - rest) / count) }

    /// Takes the next log, in the order of their sizes, the longest first.
    ///
    /// - Returns: Whether it has to be cut. If not, no shorter one has to be.
    mutating func add(_ size: Int64) -> Bool {
        guard size > length else { return false }
        rest -= size
        count += 1
        return true
    }
}
