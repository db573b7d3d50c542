package import MarvelDomain
internal import Synchronization

/// A record of all that a store's feed sends.
package final class FeedRecorder: Sendable {
    private let recorded = Mutex<[StoreEvent]>([])
    private let mailbox = Mailbox(backlog: .max)

    package convenience init(_ store: any FavoritesStore) { self.init(store.feed) }

    package init(_ feed: StoreFeed) { feed.subscribe(mailbox) {} }

    /// All events, in their order.
    package var events: [StoreEvent] {
        mailbox.takeAll { event in recorded.withLock { $0.append(event) } }
        return recorded.withLock { $0 }
    }

    /// The news of all lists, in their order.
    package var news: [ListChange] {
        events.flatMap { event in
            if case .changed(let changes) = event { changes } else { [] as [ListChange] }
        }
    }

    /// The changes of a list, in their order.
    package func changes(of list: ListName = .default) -> [FavoritesChange] {
        news.filter { $0.list == list }.compactMap(\.change)
    }

    /// The revisions of a list, in their order.
    package func revisions(of list: ListName = .default) -> [Int64] {
        news.filter { $0.list == list }.map(\.revision)
    }
}
