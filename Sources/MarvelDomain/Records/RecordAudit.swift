/// A check of a store's records: revisions without gaps, chained digests, favorites that agree with their list.
package struct RecordAudit {
    package var report = StoreReport()
    private let digest: LogAudit.Digest

    package init(digest: @escaping LogAudit.Digest) { self.digest = digest }

    /// Reads a list. `forEachChange` passes each kept change, the oldest first, so that no log has to be in memory.
    ///
    /// - Returns: The audit of its log.
    @discardableResult
    package mutating func read(
        _ list: StoreRecord.List,
        forEachChange: (_ body: (StoreRecord.Change) -> Void) throws -> Void
    ) rethrows -> LogAudit {
        let (name, favorites) = (list.name, list.favorites)
        var log = LogAudit(list: name, digest: digest)
        try forEachChange { log.read($0) }
        log.finish(revision: list.revision, digest: list.digest)

        report.changeCount &+= list.revision & 0xFFFF_FFFF
        report.keptChangeCount += log.changeCount
        report.favoriteCount += favorites.count
        report.longestList = max(report.longestList, favorites.count)
        if list.deletion == nil { report.listCount += 1 }
        if list.revision <= 0 { report.note("list \(name) has the invalid revision \(list.revision)") }
        if list.deletion != nil, !favorites.isEmpty {
            report.note("list \(name) is deleted, but has \(favorites.count) favorites")
        }
        for problem in log.problems { report.note(problem, isLostEnd: log.isAhead) }
        compareFavorites(of: list)
        return log
    }

    private mutating func compareFavorites(of list: StoreRecord.List) {
        let (name, favorites) = (list.name, list.favorites)
        if let newest = favorites.last?.savedRevision, newest > list.revision {
            report.note("list \(name) is at revision \(list.revision), but has a favorite of revision \(newest)")
        }
        if zip(favorites, favorites.dropFirst()).contains(where: { $0.savedRevision == $1.savedRevision }) {
            report.note("list \(name): two favorites have the same revision")
        }
        if let ids = list.ids, ids != favorites.map(\.id) {
            report.note("list \(name): its ids do not match its favorites in the order of saving")
        }
    }
}
