internal import MarvelDomain
internal import Synchronization

/// The lists that are watched now.
final class WatchedLists: Sendable {
    private struct Entry {
        weak var list: WatchedList?
    }

    private let history: HistoryID
    private let attribution: @Sendable () -> String
    private let entries = Mutex<[ListName: Entry]>([:])

    /// - Parameters:
    ///   - history: The history in which revisions count.
    ///   - attribution: The line to show with the data.
    init(in history: HistoryID, attribution: @escaping @Sendable () -> String) {
        self.history = history
        self.attribution = attribution
    }

    /// The number of watched lists.
    var count: Int { entries.withLock(\.count) }

    /// The names of the watched lists.
    var names: Set<ListName> { entries.withLock { Set($0.keys) } }

    /// Returns the list, which is watched from now on for as long as its caller holds it.
    func list(_ name: ListName) -> WatchedList {
        entries.withLock { entries in
            if let list = entries[name]?.list { return list }
            let list = WatchedList(name, in: history, attribution: attribution) { [weak self] name in self?.ended(name)
            }
            entries[name] = Entry(list: list)
            return list
        }
    }

    /// Passes a change on to the watchers of its list.
    func changed(_ news: ListChange) {
        guard let list = watched(news.list) else { return }
        if let change = news.change { list.changed(change) } else { list.reached(news.revision) }
    }

    /// Tells the watchers of a list that it has reached a revision by changes that are not at hand.
    func reached(_ revision: Int64, _ list: ListName) { watched(list)?.reached(revision) }

    private func watched(_ name: ListName) -> WatchedList? {
        entries.withLock { $0[name]?.list }
    }

    /// Removes a list whose last watcher is released. If another watcher exists already, the entry belongs to that one.
    private func ended(_ name: ListName) {
        let other = entries.withLock { entries in
            let list = entries[name]?.list
            if list == nil { entries[name] = nil }
            return list
        }
        // The last reference may be released here, which would call this function again: not under the lock.
        _ = other
    }
}
