internal import MarvelDomain
internal import Synchronization

/// A feed of a store's changes to the lists that are watched.
final class FavoritesFeed: Sendable {
    private struct Entry {
        weak var list: WatchedList?
    }

    private let history: HistoryID
    private let attribution: @Sendable () -> String
    private let entries = Mutex<[ListName: Entry]>([:])

    /// - Parameters:
    ///   - store: The store; its changes are observed from now on.
    ///   - attribution: The line to show with the data.
    ///   - onChange: Called with each change, on the thread that makes the change.
    init(
        _ store: any FavoritesStore,
        attribution: @escaping @Sendable () -> String,
        onChange: @escaping @Sendable (FavoritesChange) -> Void = { _ in }
    ) {
        self.history = store.history
        self.attribution = attribution
        store.observeChanges { [weak self] name, change in
            self?.watched(name)?.changed(change)
            onChange(change)
        }
    }

    /// The number of watched lists.
    var count: Int { entries.withLock(\.count) }

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
