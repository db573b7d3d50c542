internal import MarvelDomain

/// What a store knows without asking the disk. Changed by the writer alone, after each commit.
struct StoreState: Sendable {
    /// The ids on each list that holds any, oldest first.
    private(set) var ids: [ListName: [Int64]]

    /// Why no change is taken any more; nil while changes are taken.
    private(set) var refusal: StoreError?

    /// Commits since the log was last copied into the store file.
    var changesInLog = 0

    init(ids: [ListName: [Int64]]) { self.ids = ids }

    mutating func changed(_ list: ListName, to ids: [Int64]) {
        self.ids[list] = ids.isEmpty ? nil : ids
    }

    /// Whether it is time to copy the log; if so the count begins anew, so that a copy that fails (the disk is full) is
    /// not tried at once again.
    mutating func beginCheckpoint(after changes: Int) -> Bool {
        guard refusal == nil, changesInLog >= changes else { return false }
        changesInLog = 0
        return true
    }

    /// The first reason stays.
    mutating func endWriting(_ reason: String) {
        refusal = refusal ?? .notWritable(reason)
    }
}
