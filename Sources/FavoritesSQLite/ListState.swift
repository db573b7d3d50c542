/// Where a list is: all that a toggle has to know of it, kept in memory for every list that exists.
struct ListState: Sendable, Hashable {
    /// 0 for a list that does not exist.
    var revision: Int64 = 0
    /// Of the last change.
    var digest: Int64 = 0
    /// Oldest first.
    var ids: [Int64] = []
}
