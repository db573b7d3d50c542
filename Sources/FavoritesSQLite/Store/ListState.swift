/// The state of a list: all that a toggle needs to know of it. It is read in the transaction that changes the list.
struct ListState: Sendable, Hashable {
    /// The highest revision of a list that is accepted from a file. Above it there is room for any number of changes.
    static let maximumRevision: Int64 = (1 << 62) - 1
    /// The largest log of a list that is accepted from a file, in bytes: the sum of ten million of them does not
    /// overflow.
    static let maximumLogBytes: Int64 = 1 << 38

    /// The revision; 0 for a list that does not exist.
    var revision: Int64 = 0
    /// The digest of the last change.
    var digest: Int64 = 0
    /// The bytes of its kept changes.
    var logBytes: Int64 = 0
    /// The ids of its characters, oldest first.
    var ids: [Int64] = []
}
