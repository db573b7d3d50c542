internal import MarvelDomain
internal import Synchronization

/// Brings the changes of a store to the lists that someone watches.
final class FavoritesFeed: Sendable {
    private struct Entry {
        weak var list: WatchedList?
    }

    private let history: HistoryID
    private let attribution: @Sendable () -> String
    private let entries = Mutex<[ListName: Entry]>([:])

    /// - Parameters:
    ///   - store: Its changes are observed from now on.
    ///   - attribution: The line to show with the data.
    ///   - onChange: Called with each change, where it is made.
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

    /// How many lists are watched.
    var count: Int { entries.withLock(\.count) }

    /// The list, watched from now on for as long as its caller holds it.
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

    /// Its last watcher has gone. Another may have come already: the entry is that one's then.
    private func ended(_ name: ListName) {
        let other = entries.withLock { entries in
            let list = entries[name]?.list
            if list == nil { entries[name] = nil }
            return list
        }
        // It may be going too by now, and would come here again: not under the lock.
        _ = other
    }
}
