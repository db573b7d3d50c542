internal import MarvelDomain

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
