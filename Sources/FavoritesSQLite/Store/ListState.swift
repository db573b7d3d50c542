/// The state of a list for a toggle. It is read in the transaction that changes the list.
struct ListState: Sendable, Hashable {
    /// The highest valid revision in a file. Above it there is room for any number of changes.
    static let maximumRevision: Int64 = (1 << 62) - 1
    /// The largest valid log in a file, in bytes: the sum of ten million of them does not overflow.
    static let maximumLogBytes: Int64 = 1 << 38

    /// 0 for a list that does not exist.
    var revision: Int64 = 0
    /// The digest of the last change.
    var digest: Int64 = 0
    /// The size of the kept changes, in bytes.
    var logBytes: Int64 = 0
    /// Oldest first.
    var ids: [Int64] = []
}
