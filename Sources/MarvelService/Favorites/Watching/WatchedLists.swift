internal import MarvelDomain
internal import Synchronization

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

    /// `attribution` is the line to show with the data.
    init(in history: HistoryID, attribution: @escaping @Sendable () -> String) {
        state = Mutex(State(history: history))
        self.attribution = attribution
    }

    var count: Int { state.withLock(\.entries.count) }

    var names: Set<ListName> { state.withLock { Set($0.entries.keys) } }

    /// The list is watched for as long as the caller keeps it.
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

    /// Continues in another history: all watchers move to lists of the same names there.
    func renew(_ history: HistoryID) {
        let old = state.withLock { state in
            defer { state = State(history: history) }
            return state.entries.values.compactMap(\.list)
        }
        for list in old { list.end() }
    }

    func changed(_ news: ListChange) {
        guard let list = watched(news.list) else { return }
        if let change = news.change { list.changed(change) } else { list.reached(news.revision) }
    }

    /// A list has reached a revision by missing changes.
    func reached(_ revision: Int64, _ list: ListName) { watched(list)?.reached(revision) }

    private func watched(_ name: ListName) -> WatchedList? {
        state.withLock { $0.entries[name]?.list }
    }

    /// Removes a list whose last watcher is released, unless another watcher already made a new list.
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
