internal import MarvelDomain

/// The bytes of the kept changes of all lists, and their limit. Above it the oldest changes of the store are deleted,
/// whatever their lists: a few more with each commit than it adds, so that no commit takes long.
struct LogBudget: Sendable {
    /// The number of changes that a commit deletes at most, beside twice those that it adds.
    static let changesPerCommit = 64

    private let maximum: Int64
    private(set) var byteCount: Int64
    /// The row of the newest change that was looked at. Older ones that are still there belong to damaged lists.
    var position: Int64 = 0

    /// - Parameters:
    ///   - maximum: The limit, in bytes.
    ///   - byteCount: The current bytes.
    init(maximum: Int64, byteCount: Int64) {
        self.maximum = maximum
        self.byteCount = byteCount
    }

    /// The bytes above the limit.
    var excess: Int64 { max(0, byteCount - maximum) }

    /// Adds the growth of a log; negative if it became shorter.
    mutating func add(_ count: Int64) { byteCount = max(0, byteCount.addingSaturated(count)) }
}
