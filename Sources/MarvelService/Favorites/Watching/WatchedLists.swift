internal import MarvelDomain
internal import Synchronization

/// The lists that are watched now.
final class WatchedLists: Sendable {
    private struct Entry {
        weak var list: WatchedList?
    }

    private struct State {
        var history: HistoryID
        var entries: [ListName: Entry] = [:]
    }

    private let attribution: @Sendable () -> String
    private let state: Mutex<State>

    /// - Parameters:
    ///   - history: The history in which revisions count.
    ///   - attribution: The line to show with the data.
    init(in history: HistoryID, attribution: @escaping @Sendable () -> String) {
        state = Mutex(State(history: history))
        self.attribution = attribution
    }

    /// The number of watched lists.
    var count: Int { state.withLock(\.entries.count) }

    /// The names of the watched lists.
    var names: Set<ListName> { state.withLock { Set($0.entries.keys) } }

    /// Returns the list, which is watched from now on for as long as its caller holds it.
    func list(_ name: ListName) -> WatchedList {
        state.withLock { state in
            if let list = state.entries[name]?.list { return list }
            let list = WatchedList(name, in: state.history, attribution: attribution) { [weak self] name in
                self?.ended(name)
            }
            state.entries[name] = Entry(list: list)
            return list
        }
    }

    /// Goes on in another history: the watchers of every list leave it, for one of the same name in the new history.
    func renew(_ history: HistoryID) {
        let old = state.withLock { state in
            defer { state = State(history: history) }
            return state.entries.values.compactMap(\.list)
        }
        for list in old { list.end() }
    }

    /// Passes a change on to the watchers of its list.
    func changed(_ news: ListChange) {
        guard let list = watched(news.list) else { return }
        if let change = news.change { list.changed(change) } else { list.reached(news.revision) }
    }

    /// Tells the watchers of a list that it has reached a revision by changes that are not at hand.
    func reached(_ revision: Int64, _ list: ListName) { watched(list)?.reached(revision) }

    private func watched(_ name: ListName) -> WatchedList? {
        state.withLock { $0.entries[name]?.list }
    }

    /// Removes a list whose last watcher is released. If another watcher exists already, the entry belongs to that one.
    private func ended(_ name: ListName) {
        let other = state.withLock { state in
            let list = state.entries[name]?.list
            if list == nil { state.entries[name] = nil }
            return list
        }
        // The last reference may be released here, which would call this function again: not under the lock.
        _ = other
    }
}
