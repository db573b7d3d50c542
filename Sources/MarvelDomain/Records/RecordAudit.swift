/// A check of a store's records: revisions without gaps, chained digests, favorites that match the log, and readable
/// answers.
package struct RecordAudit {
    package private(set) var report = StoreReport()
    private let digest: LogAudit.Digest
    private var changes: [StoreRecord.Change] = []
    private var favorites: [StoreRecord.Favorite] = []

    package init(digest: @escaping LogAudit.Digest) { self.digest = digest }

    package mutating func read(_ record: StoreRecord) {
        switch record {
        case .change(let change): changes.append(change)
        case .favorite(let favorite): favorites.append(favorite)
        case .name(let name): finish(name)
        case .answer(let answer): read(answer)
        case .edit: report.editCount += 1
        }
    }

    private mutating func finish(_ name: StoreRecord.Name) {
        let list = name.name
        report.changeCount &+= name.revision & 0xFFFF_FFFF
        report.keptChangeCount += changes.count
        report.favoriteCount += favorites.count
        report.longestList = max(report.longestList, favorites.count)
        if name.deletion == nil { report.listCount += 1 }
        if name.revision <= 0 { report.note("list \(list) has the invalid revision \(name.revision)") }
        if name.deletion != nil, !favorites.isEmpty {
            report.note("list \(list) is deleted, but has \(favorites.count) favorites")
        }

        var log = LogAudit(list: list, digest: digest)
        var replay = LogReplay(list: list)
        for change in changes {
            log.read(change)
            replay.play(change.revision, change.text)
        }
        log.finish(revision: name.revision, digest: name.digest)
        for problem in log.problems { report.note(problem, isLostEnd: log.isAhead) }
        for favorite in favorites { replay.compare(favorite) }
        replay.finish()
        for problem in replay.problems { report.note(problem) }
        compareFavorites(name)
        changes.removeAll(keepingCapacity: true)
        favorites.removeAll(keepingCapacity: true)
    }

    private mutating func compareFavorites(_ name: StoreRecord.Name) {
        if let newest = favorites.last?.savedRevision, newest > name.revision {
            report.note("list \(name.name) is at revision \(name.revision), but has a favorite of revision \(newest)")
        }
        for (first, second) in zip(favorites, favorites.dropFirst()) where first.savedRevision == second.savedRevision {
            report.note("list \(name.name): two favorites have the same revision")
        }
        if let ids = name.ids, ids != favorites.map(\.id) {
            report.note("list \(name.name): its ids do not match its favorites in the order of saving")
        }
    }

    private mutating func read(_ answer: StoreRecord.Answer) {
        report.answerCount += 1
        guard let evicted = answer.evicted else { return }
        if (try? FavoriteJSON.favorites(String(decoding: evicted, as: UTF8.self))) == nil {
            report.note("the answer to the request \(answer.request.id) cannot be read")
        }
    }
}
