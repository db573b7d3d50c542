internal import Events
internal import MarvelDomain
internal import Synchronization

/// The sender of a store's feed. Several threads publish: the one that writes, and the one that follows other replicas.
/// The changes of one list are sent in the order of their revisions, each once, and those of one history only.
final class FeedPublisher: Sendable {
    let feed = Subject<StoreEvent>()
    private let marks: Mutex<ListMarks>

    init(_ marks: ListMarks) { self.marks = Mutex(marks) }

    /// The revisions that were published, as a copy.
    var published: ListMarks { marks.withLock { $0 } }

    var listCount: Int { marks.withLock(\.listCount) }

    /// The history that was published.
    var history: HistoryID { marks.withLock(\.history) }

    /// The highest revision that was published.
    var highestRevision: Int64 { marks.withLock(\.highest) }

    /// Sends changes, each list's in the order of their revisions. Those that were sent before are left out, and those of
    /// another history. Where changes are missing or damaged, only the revision is sent: subscribers read the list again.
    func publish(_ changes: [LoggedChange], in history: HistoryID) {
        guard !changes.isEmpty else { return }
        // It is held while the events are sent, so that they have the order of the marks. No subscriber waits inline.
        marks.withLock { marks in
            guard marks.history == history else { return }
            var news: [ListChange] = []
            for change in changes {
                let (list, revision) = (change.news.list, change.news.revision)
                switch marks.relation(of: list, at: revision) {
                case .known: continue
                case .next where change.isWhole(after: marks[list]?.digest ?? 0): news.append(change.news)
                case .next, .gap: news.append(ListChange(list, revision: revision))
                }
                let exists = !(change.news.change?.isDeletion ?? false)
                marks.published(list, revision: revision, digest: change.digest, exists: exists)
            }
            if !news.isEmpty { feed.send(.changed(news)) }
        }
    }

    /// Returns the revision of a list that was published.
    func revision(of list: ListName) -> Int64 { marks.withLock { $0.revision(of: list) } }

    /// Returns the revisions of lists that were published; 0 for all of them if the history is another one.
    func revisions(of lists: [ListName], in history: HistoryID) -> [Int64] {
        marks.withLock { marks in lists.map { marks.history == history ? marks.revision(of: $0) : 0 } }
    }

    /// Returns the relation of a change to what was published.
    func relation(of list: ListName, at revision: Int64) -> ListMarks.Relation {
        marks.withLock { $0.relation(of: list, at: revision) }
    }

    /// Sends the revisions of lists that have reached more than was published.
    func reached(_ stored: [ListName: ListMarks.Mark], in history: HistoryID) {
        marks.withLock { marks in
            guard marks.history == history else { return }
            let news = stored.filter { list, mark in marks.relation(of: list, at: mark.revision) != .known }
            for (list, mark) in news {
                marks.published(list, revision: mark.revision, digest: mark.digest, exists: mark.exists)
            }
            guard !news.isEmpty else { return }
            feed.send(.changed(news.map { ListChange($0.key, revision: $0.value.revision) }))
        }
    }

    /// Finds lists of which changes are missing.
    ///
    /// - Parameters:
    ///   - changes: The changes that are at hand, each list's in order.
    ///   - answered: Revisions that lists have reached, at hand or not.
    ///   - history: The history in which all these revisions count.
    /// - Returns: The lists, with the revisions that were published.
    func gaps(
        before changes: [LoggedChange],
        answered: [(list: ListName, revision: Int64)] = [],
        in history: HistoryID
    ) -> [ListName: Int64] {
        marks.withLock { marks in
            guard marks.history == history else { return [:] }
            var gaps: [ListName: Int64] = [:]
            // The lists of which changes are at hand, with the revisions that follow them.
            var next: [ListName: Int64] = [:]
            for change in changes {
                let (list, revision) = (change.news.list, change.news.revision)
                if next[list] != revision, case .gap(let last) = marks.relation(of: list, at: revision) {
                    gaps[list] = last
                }
                next[list] = revision + 1
            }
            for (list, revision) in answered where revision >= next[list] ?? 0 {
                switch marks.relation(of: list, at: revision) {
                case .known: continue
                case .next: gaps[list] = revision - 1
                case .gap(let last): gaps[list] = last
                }
            }
            return gaps
        }
    }

    /// Forgets the names of deleted lists that the database has dropped.
    func forget(_ dropped: [ListName: ListMarks.Mark], in history: HistoryID) {
        guard !dropped.isEmpty else { return }
        marks.withLock { marks in
            if marks.history == history { marks.forget(dropped) }
        }
    }

    /// Tells subscribers to read everything again, and takes the revisions that the database has. Those that were
    /// published meanwhile and are newer stay.
    func lost(_ stored: ListMarks) {
        marks.withLock { marks in
            guard marks.history == stored.history else { return }
            let newer = marks.marks.filter { list, mark in (stored[list]?.revision ?? 0) < mark.revision }
            let all = stored.marks.merging(newer) { _, newer in newer }
            marks = ListMarks(all, in: marks.history, base: marks.base)
            feed.send(.lost)
        }
    }

    /// Goes on in another history, and tells subscribers so.
    ///
    /// - Returns: Whether it is published now. A history whose base is not above that of the one before would use revisions
    ///   again, and is not published.
    func renew(_ next: ListMarks) -> Bool {
        marks.withLock { marks in
            guard marks.history != next.history else { return true }
            guard next.base > marks.base else { return false }
            marks = next
            feed.send(.renewed(next.history))
            return true
        }
    }
}
