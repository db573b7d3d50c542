internal import MarvelDomain
internal import Synchronization

@testable internal import FavoritesPostgres

/// A subscriber that records the events of a feed, and that can be waited for.
final class Recorder: Sendable {
    private struct Waiter {
        let isMet: @Sendable ([StoreEvent]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private final class Record: Sendable {
        let state = Mutex<(events: [StoreEvent], waiters: [Waiter])>(([], []))

        func add(_ event: StoreEvent) {
            let met = state.withLock { state in
                state.events.append(event)
                let events = state.events
                let met = state.waiters.filter { $0.isMet(events) }
                state.waiters.removeAll { $0.isMet(events) }
                return met
            }
            for waiter in met { waiter.continuation.resume() }
        }
    }

    private let record = Record()
    private let subscription: Subscription

    init(_ feed: Subject<StoreEvent>) {
        // What is delivered inline is never missed.
        subscription = feed.subscribe { [record] in record.add($0.value ?? .lost) }
    }

    var events: [StoreEvent] { record.state.withLock(\.events) }

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

    private func wait(until isMet: @escaping @Sendable ([StoreEvent]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMetAlready = record.state.withLock { state in
                guard !isMet(state.events) else { return true }
                state.waiters.append(Waiter(isMet: isMet, continuation: continuation))
                return false
            }
            if isMetAlready { continuation.resume() }
        }
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
