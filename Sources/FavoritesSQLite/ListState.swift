/// Where a list is: all that a toggle has to know of it, kept in memory for every list that exists.
struct ListState: Sendable, Hashable {
    /// The highest revision that is believed of a list in a file. There is room above it for any number of changes.
    static let maximumRevision: Int64 = (1 << 62) - 1
    /// The largest log that is believed of a list in a file: the sum of ten million stays a number.
    static let maximumLogBytes: Int64 = 1 << 38

    /// 0 for a list that does not exist.
    var revision: Int64 = 0
    /// Of the last change.
    var digest: Int64 = 0
    /// The bytes of its changes that are kept.
    var logBytes: Int64 = 0
    /// Oldest first.
    var ids: [Int64] = []
}
