internal import Events
internal import MarvelDomain
internal import Synchronization

@testable internal import FavoritesPostgres

/// A subscriber that records the news of a feed, and that can be waited for.
final class Recorder: Sendable {
    private struct Waiter {
        let list: ListName
        let revision: Int64
        let continuation: CheckedContinuation<Void, Never>
    }

    private final class Record: Sendable {
        let state = Mutex<(news: [ListChange], waiters: [Waiter])>(([], []))

        func add(_ event: SubjectEvent<StoreEvent>) {
            guard case .value(.changed(let changes)) = event else { return }
            let reached = state.withLock { state in
                state.news += changes
                let news = state.news
                let reached = state.waiters.filter { news.reach($0.revision, of: $0.list) }
                state.waiters.removeAll { news.reach($0.revision, of: $0.list) }
                return reached
            }
            for waiter in reached { waiter.continuation.resume() }
        }
    }

    private let record = Record()
    private let subscription: Subscription

    init(_ feed: Subject<StoreEvent>) {
        subscription = feed.subscribe { [record] in record.add($0) }
    }

    var news: [ListChange] { record.state.withLock(\.news) }

    func changes(of list: ListName = .default) -> [FavoritesChange] {
        news.filter { $0.list == list }.compactMap(\.change)
    }

    func revisions(of list: ListName = .default) -> [Int64] { news.filter { $0.list == list }.map(\.revision) }

    /// Waits until the feed has sent a list's revision.
    func wait(for revision: Int64, of list: ListName = .default) async {
        await withCheckedContinuation { continuation in
            let isReached = record.state.withLock { state in
                guard !state.news.reach(revision, of: list) else { return true }
                state.waiters.append(Waiter(list: list, revision: revision, continuation: continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }
}

extension [ListChange] {
    fileprivate func reach(_ revision: Int64, of list: ListName) -> Bool {
        contains { $0.list == list && $0.revision >= revision }
    }
}
