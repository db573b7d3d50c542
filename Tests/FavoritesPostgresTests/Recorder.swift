internal import MarvelDomain
internal import Synchronization

@testable internal import FavoritesPostgres

/// A subscriber that records the events of a feed, and that can be waited for.
final class Recorder: Sendable {
    private final class Record: Sendable {
        let events = Mutex<[StoreEvent]>([])
    }

    private let record = Record()
    private let subscription: Subscription

    init(_ feed: Subject<StoreEvent>) {
        // Events that are delivered inline are never missed.
        subscription = feed.subscribe { [record] event in
            record.events.withLock { $0.append(event.value ?? .lost) }
        }
    }

    var events: [StoreEvent] { record.events.withLock { $0 } }

    var news: [ListChange] { events.news }

    func changes(of list: ListName = .default) -> [FavoritesChange] {
        news.filter { $0.list == list }.compactMap(\.change)
    }

    func revisions(of list: ListName = .default) -> [Int64] { news.filter { $0.list == list }.map(\.revision) }

    /// The histories that the feed has told of, in their order.
    var histories: [HistoryID] { events.histories }

    /// Waits until the feed has sent a list's revision.
    func wait(for revision: Int64, of list: ListName = .default) async {
        await wait { $0.news.contains { $0.list == list && $0.revision >= revision } }
    }

    /// Waits until the feed has told of new histories.
    func waitForHistories(_ count: Int = 1) async {
        await wait { $0.histories.count >= count }
    }

    private func wait(until isMet: ([StoreEvent]) -> Bool) async {
        // A subscriber cannot be awaited.
        while !isMet(events), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
    }
}

extension [StoreEvent] {
    fileprivate var news: [ListChange] {
        flatMap { event in
            if case .changed(let changes) = event { changes } else { [] as [ListChange] }
        }
    }

    fileprivate var histories: [HistoryID] {
        compactMap { event in
            if case .renewed(let history) = event { history } else { nil }
        }
    }
}
