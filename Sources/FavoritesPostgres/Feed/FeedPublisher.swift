internal import FavoritesEngine
internal import MarvelDomain
internal import Synchronization

/// The engine of a store, with the feed of its events, for the threads of the writer and of the follower. The changes of a list are
/// sent in the order of their revisions, each once.
final class FeedPublisher: Sendable {
    let feed = StoreFeed()
    /// The lock is held while events are sent, so that they have the order of the marks. No subscriber waits inline.
    private let state: Mutex<State>

    private struct State {
        var engine: FavoritesEngine
        /// The sent revisions of all lists. The engine knows only those in its cache.
        var marks: ListMarks
        var ownTransactions = OwnTransactions()
    }

    init(_ settings: FavoritesEngine.Settings, _ marks: ListMarks) {
        let engine = FavoritesEngine(settings, history: marks.history, base: marks.base, listCount: marks.listCount)
        state = Mutex(State(engine: engine, marks: marks))
    }

    /// A copy of the published revisions.
    var published: ListMarks { state.withLock(\.marks) }

    var listCount: Int { state.withLock(\.marks.listCount) }

    var history: HistoryID { state.withLock(\.marks.history) }

    var highestRevision: Int64 { state.withLock(\.marks.highest) }

    func revision(of list: ListName) -> Int64 { state.withLock { $0.marks.revision(of: list) } }

    func isKnown(_ list: ListName, at revision: Int64) -> Bool { revision <= self.revision(of: list) }

    // MARK: Steps of the engine

    /// Takes a step of the engine, sends its events, and then answers.
    func step<Result>(_ body: (inout FavoritesEngine) -> Result) -> Result { step { state in body(&state.engine) } }

    private func step<Result>(_ body: (inout FavoritesEngine, inout ListMarks) -> Result) -> Result {
        step { state in body(&state.engine, &state.marks) }
    }

    private func step<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, effects) = state.withLock { state in
            let result = body(&state)
            let effects = state.engine.takeEffects()
            for event in effects.events { send(event, &state.marks) }
            state.engine.listCount = state.marks.listCount
            return (result, effects)
        }
        effects.answer()
        return result
    }

    private func send(_ event: StoreEvent, _ marks: inout ListMarks) {
        guard case .changed(let changes) = event else { return feed.send(event) }
        // The engine may send changes again of a list that left its cache.
        let news = changes.filter { marks.published($0) }
        if !news.isEmpty { feed.send(.changed(news)) }
    }

    /// Takes the outcome of a group, and notes that the changes of its transaction are published.
    func committed(
        _ outcome: GroupOutcome,
        of group: ChangeGroup,
        in transaction: TransactionID?,
        on cluster: ServedCluster?
    ) {
        step { state in
            state.engine.committed(outcome, at: .now)
            // The engine takes no changes of an earlier history.
            guard let transaction, group.history == state.marks.history else { return }
            state.ownTransactions.add(transaction, on: cluster)
        }
    }

    func read(_ reading: ListReading, _ changes: [LoggedChange]) {
        step { engine, marks in
            var reading = reading
            reading.changes = marks.news(of: changes)
            reading.facts?.listCount = marks.listCount
            engine.read(reading) { marks.revision(of: $0) }
        }
    }

    func noted(capacity: Int) { state.withLock { $0.engine.capacity = capacity } }

    // MARK: Changes of others

    /// Removes and returns the transactions of a cluster whose changes the next poll need not return.
    func takeOwnTransactions(on cluster: ServedCluster?) -> [TransactionID] {
        state.withLock { $0.ownTransactions.take(on: cluster) }
    }

    /// Sends the changes that were not sent before. Of damaged changes, and after missing ones, only the revision is sent:
    /// subscribers read the list again.
    func publish(_ changes: [LoggedChange], in history: HistoryID) {
        guard !changes.isEmpty else { return }
        step { engine, marks in
            if marks.history == history { engine.received(marks.news(of: changes)) }
        }
    }

    func reached(_ stored: [ListName: ListMarks.Mark], in history: HistoryID) {
        step { engine, marks in
            guard marks.history == history else { return }
            engine.received(
                stored.map { list, mark in
                    ListChange(list, revision: mark.revision, digest: mark.digest, exists: mark.exists)
                }
            )
        }
    }

    /// Forgets the names of deleted lists that the database has dropped.
    func forget(_ dropped: [ListName: ListMarks.Mark], in history: HistoryID) {
        guard !dropped.isEmpty else { return }
        step { engine, marks in
            guard marks.history == history else { return }
            marks.forget(dropped)
            for list in dropped.keys { engine.forget(list) }
        }
    }

    /// Forgets the contents of a damaged list, so that its next change reads it.
    func forget(_ list: ListName) { step { $0.forget(list) } }

    /// Tells subscribers to read everything again, and takes the revisions of the database, unless newer ones were published.
    func lost(_ stored: ListMarks) {
        step { engine, marks in
            guard marks.history == stored.history else { return }
            let newer = marks.marks.filter { list, mark in (stored[list]?.revision ?? 0) < mark.revision }
            let all = stored.marks.merging(newer) { _, newer in newer }
            marks = ListMarks(all, in: marks.history, base: marks.base)
            engine.lost()
        }
    }

    /// Continues in another history; returns false if it would use revisions again.
    func renew(_ next: ListMarks) -> Bool {
        step { engine, marks in
            guard marks.history != next.history else { return true }
            guard next.base > marks.base else { return false }
            marks = next
            engine.renewed(next.history, base: next.base)
            return true
        }
    }
}

extension ListMarks {
    /// Returns the changes that were not published: of damaged ones, and after missing ones, only the revision.
    fileprivate func news(of changes: [LoggedChange]) -> [ListChange] {
        var last: [ListName: (revision: Int64, digest: Int64)] = [:]
        return changes.compactMap { change in
            let news = change.news
            let (revision, digest) = last[news.list] ?? (self.revision(of: news.list), self[news.list]?.digest ?? 0)
            guard news.revision > revision else { return nil }
            last[news.list] = (news.revision, news.digest)
            if news.revision == revision + 1, change.isWhole(after: digest) { return news }
            return ListChange(news.list, revision: news.revision, digest: news.digest, exists: news.exists)
        }
    }

    /// Notes that news is published; returns false if it was published before.
    fileprivate mutating func published(_ news: ListChange) -> Bool {
        publish(Mark(revision: news.revision, digest: news.digest, exists: news.exists), of: news.list)
    }
}
