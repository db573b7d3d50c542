internal import GRDB
internal import MarvelDomain
internal import SQLiteFiles

/// The bytes of the kept changes of all lists, and their limit.
///
/// Above the limit the longest logs are cut to one length, which is chosen so that the sum falls a sixteenth below the
/// limit. Each commit does a part of the work, so that no commit takes long.
struct LogBudget: Sendable {
    private let maximum: Int64
    private(set) var byteCount: Int64
    /// The number of bytes above which logs are cut.
    private var threshold: Int64
    private(set) var trimming: LogTrimming?

    /// - Parameters:
    ///   - maximum: The limit, in bytes.
    ///   - byteCount: The current bytes.
    init(maximum: Int64, byteCount: Int64) {
        self.maximum = maximum
        self.byteCount = byteCount
        threshold = maximum
    }

    private var goal: Int64 { maximum - maximum / 16 }

    /// Adds the growth of a log; negative if it became shorter.
    mutating func add(_ count: Int64) { byteCount = max(0, byteCount.addingSaturated(count)) }

    /// Begins to cut if the limit is exceeded.
    mutating func beginIfDue(in db: Database) throws {
        guard trimming == nil, byteCount > threshold else { return }
        trimming = try LogTrimming(total: byteCount, goal: goal, in: db)
    }

    /// The next list whose log is too long; nil if there is none.
    var next: (list: ListName, length: Int64)? { trimming?.next }

    /// Moves on to the list after `next`.
    mutating func advance() {
        trimming?.advance()
        guard trimming?.next == nil else { return }
        trimming = nil
        // The last change of each list stays. If these alone exceed the limit, another pass over all lists would not
        // help.
        threshold = max(maximum, byteCount + maximum / 16)
    }
}

/// The logs that are cut to one length, the longest first.
struct LogTrimming: Sendable {
    /// The maximum length of a log after the cut, in bytes.
    let length: Int64
    private let lists: [ListName]
    private var index = 0

    /// Finds the longest logs, as many as have to be cut.
    ///
    /// - Parameters:
    ///   - total: The sum of the bytes of all logs.
    ///   - goal: The maximum of the sum after the cut.
    ///   - db: A connection to the store.
    /// - Throws: Errors of SQLite.
    init(total: Int64, goal: Int64, in db: Database) throws {
        var lists: [ListName] = []
        var cut = LogCut(total: total, goal: goal)
        let rows = try Row.fetchCursor(db, sql: "SELECT name, log_bytes FROM lists ORDER BY log_bytes DESC")
        while let row = try rows.next() {
            // Damaged rows are not cut.
            guard let name = try? ListName(stored: row.read(at: 0)), let size = try? row.read(at: 1, as: Int64.self),
                (0...ListState.maximumLogBytes).contains(size)
            else { continue }
            guard cut.add(size) else { break }
            lists.append(name)
        }
        self.lists = lists
        length = cut.length
    }

    var next: (list: ListName, length: Int64)? { index < lists.count ? (lists[index], length) : nil }

    mutating func advance() { index += 1 }
}

/// The length to which the longest logs are cut, so that the sum of all logs is at most a goal.
struct LogCut {
    private let goal: Int64
    /// The sum of the logs that are not cut.
    private var rest: Int64
    private var count: Int64 = 0

    /// - Parameters:
    ///   - total: The sum of all logs, above `goal`.
    ///   - goal: The maximum of the sum after the cut, in bytes.
    init(total: Int64, goal: Int64) {
        self.goal = goal
        rest = total
    }

    /// The length of each log that is cut, in bytes.
    var length: Int64 { count == 0 ? 0 : max(0, (goal - rest) / count) }

    /// Adds the next log, in the order of their sizes, the longest first.
    ///
    /// - Returns: Whether it has to be cut. If not, no shorter log has to be cut.
    mutating func add(_ size: Int64) -> Bool {
        guard size > length else { return false }
        rest -= size
        count += 1
        return true
    }
}
