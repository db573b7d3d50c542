internal import Events
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

/// A watcher's position in a list. It holds no event: what comes next is looked up when it can be sent.
final class FavoritesWatcher: MessageSource {
    enum Position {
        /// It has nothing, or too much has passed it by: the whole list comes next, and perhaps the reason.
        case beforeSnapshot(SnapshotReset?)
        /// It has all up to this revision; only the store may know what follows.
        case resuming(after: Int64, by: Resumption)
        /// It has all up to this revision.
        case following(Int64)
        /// The same, and it has waited.
        case waited(after: Int64)
    }

    /// The way in which a watcher came to the revision that it has.
    enum Resumption {
        /// Its client named the revision, and gets an error if there is no way on.
        case revision
        /// Its client named a place, and gets a snapshot that says why.
        case place
        /// This stream has brought it there, and goes on with a snapshot if need be.
        case stream
    }

    /// How many changes are read from the store at once, and held until they are sent.
    static let batch = 16

    private let watch: FavoritesWatch
    private let position: Position

    init(_ watch: FavoritesWatch, at position: Position) {
        self.watch = watch
        self.position = position
    }

    var wait: Wait? {
        guard case .following(let revision) = position else { return nil }
        switch watch.list.following(revision) {
        case .change, .missed: return nil
        case .nothing, .unknown: break
        }
        let then = FavoritesWatcher(watch, at: .waited(after: revision))
        return Wait(timeout: watch.progressInterval, then: then) { [list = watch.list] waker in
            list.wake(waker, after: revision)
        }
    }

    var place: [String: String] {
        switch position {
        case .beforeSnapshot: [:]
        case .resuming(let revision, _), .following(let revision), .waited(let revision): watch.list.goOn(revision)
        }
    }

    func next() throws(RPCError) -> Step {
        switch position {
        case .beforeSnapshot(let reset): sendSnapshot(reset)
        case .resuming(let revision, let resumption): resume(after: revision, resumption)
        case .following(let revision), .waited(let revision): follow(revision)
        }
    }

    private func sendSnapshot(_ reset: SnapshotReset? = nil) -> Step {
        if let (message, revision) = watch.list.snapshot(reset: reset) { return step(message, .following(revision)) }
        return .later { [self] () async throws(RPCError) in
            let list = try await watch.read { store async throws(StoreError) in
                try await store.favorites(watch.list.name)
            }
            watch.list.loaded(list)
            return step(watch.list.encoded(list, reset: reset), .following(list.revision))
        }
    }

    private func follow(_ revision: Int64) -> Step {
        switch watch.list.following(revision) {
        case .change(let change): step(change, .following(revision + 1))
        case .missed: sendSnapshot()
        case .nothing, .unknown:
            step(EncodedMessage(progress(revision).encoded()), .following(revision))
        }
    }

    private func progress(_ revision: Int64) -> WatchFavoritesResponse {
        WatchFavoritesResponse(.progress(revision: revision), place: watch.place(revision).text)
    }

    // MARK: Resuming

    private func resume(after revision: Int64, _ resumption: Resumption) -> Step {
        switch watch.list.following(revision) {
        case .change(let change): return step(change, .following(revision + 1))
        case .nothing: return .source(FavoritesWatcher(watch, at: .following(revision)))
        case .missed, .unknown: break
        }
        return .later { [self] () async throws(RPCError) in
            let history = try await watch.read { store async throws(StoreError) in
                try await store.changes(of: watch.list.name, after: revision, limit: FavoritesWatcher.batch)
            }
            switch (history, resumption) {
            case (.changes(let changes), _): return .source(behind(changes[...], revision))
            // What was there when it began is gone by now.
            case (.compacted, .stream): return sendSnapshot()
            case (.compacted, .place): return sendSnapshot(.compacted)
            case (.compacted(let oldest), .revision):
                throw .revisionCompacted(revision, oldest: oldest, watch.place(oldest))
            case (.ahead, .place): return sendSnapshot(.historyChanged)
            case (.ahead(let current), .revision), (.ahead(let current), .stream):
                throw .revisionAhead(revision, current: current, watch.place(current))
            }
        }
    }

    /// All that the store had after `revision`, or as much as was asked for.
    private func behind(_ changes: ArraySlice<FavoritesChange>, _ revision: Int64) -> any MessageSource {
        let last = changes.last?.revision ?? revision
        let isAll = changes.count < FavoritesWatcher.batch
        let rest = FavoritesWatcher(watch, at: isAll ? .following(last) : .resuming(after: last, by: .stream))
        return changes.isEmpty ? rest : StoredChanges(changes, of: watch.list, then: rest)
    }

    private func step(_ message: any OutgoingMessage, _ position: Position) -> Step {
        .message(message, then: FavoritesWatcher(watch, at: position))
    }
}

/// Changes that were read from the store.
private final class StoredChanges: MessageSource {
    private let changes: ArraySlice<FavoritesChange>
    private let list: WatchedList
    private let rest: FavoritesWatcher

    /// - Parameters:
    ///   - changes: At least one.
    ///   - list: The list that was changed.
    ///   - rest: What comes behind them.
    init(_ changes: ArraySlice<FavoritesChange>, of list: WatchedList, then rest: FavoritesWatcher) {
        self.changes = changes
        self.list = list
        self.rest = rest
    }

    var place: [String: String] { changes.first.map { list.goOn($0.revision - 1) } ?? rest.place }

    func next() throws(RPCError) -> Step {
        guard let change = changes.first else { return .source(rest) }
        let others = changes.dropFirst()
        return .message(
            list.encoded(change),
            then: others.isEmpty ? rest : StoredChanges(others, of: list, then: rest)
        )
    }
}
