internal import MarvelDomain
internal import RPCCore
internal import WireMessages

/// It keeps no event: it looks up the next event when it can be sent.
final class FavoritesWatcher: MessageSource {
    enum Position {
        /// A snapshot comes next, perhaps with the reason for a reset.
        case beforeSnapshot(SnapshotReset?)
        /// The client's place has another history than this server knows: the store may know it.
        case resumingElsewhere(after: Int64, HistoryID)
        /// The watcher has all changes up to this revision; only the store may know the following ones.
        case resuming(after: Int64, by: Resumption)
        /// At least one change. With `isAll`, the watched list has the following ones.
        case sending(ArraySlice<FavoritesChange>, isAll: Bool)
        /// The watcher has all changes up to this revision, and reads the following ones from the watched list.
        case following(Int64)
        /// The watcher has waited for the next change, or missed some.
        case leaving(after: Int64)
    }

    enum Resumption {
        /// The client gets an error if the changes after it are not available.
        case revision
        /// The client gets a snapshot with the reason if the changes after it are not available.
        case place
        /// Continues with a snapshot if necessary.
        case stream
    }

    /// Read from the store together, and kept until they are sent.
    static let batch = 16

    private let watch: OpenWatch
    private let position: Position

    init(_ watch: OpenWatch, at position: Position) {
        self.watch = watch
        self.position = position
    }

    private var lists: CurrentLists { watch.service.lists }

    var cursor: LogCursor? {
        guard case .following(let revision) = position else { return nil }
        lists.catchUp()
        return LogCursor(watch.list, after: revision, timeout: watch.service.progressInterval) { [watch] revision in
            FavoritesWatcher(watch, at: .leaving(after: revision))
        }
    }

    var place: [String: String] {
        switch position {
        case .beforeSnapshot, .resumingElsewhere: [:]
        case .sending(let changes, _): watch.list.continuation(after: changes[changes.startIndex].revision - 1)
        case .resuming(let revision, _), .following(let revision), .leaving(let revision):
            watch.list.continuation(after: revision)
        }
    }

    func next() throws(RPCError) -> Step {
        switch position {
        case .beforeSnapshot(let reset): sendSnapshot(reset)
        case .resumingElsewhere(let revision, let history): resume(after: revision, in: history)
        case .resuming(let revision, let resumption): resume(after: revision, resumption)
        case .sending(let changes, let isAll): send(changes, isAll: isAll)
        case .following(let revision), .leaving(let revision): follow(revision)
        }
    }

    private func sendSnapshot(_ reset: SnapshotReset? = nil) -> Step {
        if let contents = lists.knownFavorites(watch.list.name), let step = snapshot(of: contents, reset) {
            return step
        }
        return .later { [self] () async throws(RPCError) in
            let contents = try await fromStore { () async throws(StoreError) in
                try await lists.favorites(watch.list.name)
            }
            if let step = snapshot(of: contents, reset) { return step }
            let read = try await fromStore { () async throws(StoreError) in
                try await watch.service.store.snapshot(of: watch.list.name)
            }
            guard read.history == watch.list.history else { return sendSnapshotOfNewHistory() }
            return step(watch.list.snapshot(of: read.list, reset: reset), .following(read.list.revision))
        }
    }

    private func sendSnapshotOfNewHistory() -> Step {
        .source(FavoritesWatcher(watch.renewed(), at: .beforeSnapshot(.historyChanged)))
    }

    private func snapshot(of contents: EncodedFavorites, _ reset: SnapshotReset?) -> Step? {
        guard contents.history == watch.list.history else { return sendSnapshotOfNewHistory() }
        guard let message = watch.list.snapshot(of: contents, reset: reset) else { return nil }
        return step(message, .following(contents.revision))
    }

    private func follow(_ revision: Int64) -> Step {
        switch watch.following(revision) {
        case .change(let change): step(change, .following(revision + 1))
        case .missed: sendSnapshot(.compacted)
        case .ended: sendSnapshotOfNewHistory()
        case .nothing, .unknown:
            step(EncodedMessage(progress(revision).encoded()), .following(revision))
        }
    }

    private func progress(_ revision: Int64) -> WatchFavoritesResponse {
        WatchFavoritesResponse(.progress(revision: revision), place: watch.list.place(revision).text)
    }

    /// The history may have begun while the server had no connection to its database. A snapshot of the earlier history
    /// would then take the watcher back.
    private func resume(after revision: Int64, in history: HistoryID) -> Step {
        .later { [self] () async throws(RPCError) in
            // The first read may be another caller's that began before this call. The second one began later.
            for _ in 0..<2 where lists.history != history {
                _ = try await fromStore { () async throws(StoreError) in try await lists.load(watch.list.name) }
            }
            let current = watch.hasEnded ? watch.renewed() : watch
            let isKnown = current.list.history == history
            let position = isKnown ? Position.resuming(after: revision, by: .place) : .beforeSnapshot(.historyChanged)
            return .source(FavoritesWatcher(current, at: position))
        }
    }

    private func resume(after revision: Int64, _ resumption: Resumption) -> Step {
        switch watch.following(revision) {
        case .change(let change): return step(change, .following(revision + 1))
        case .nothing: return .source(FavoritesWatcher(watch, at: .following(revision)))
        case .ended: return sendSnapshotOfNewHistory()
        // The list is already watched, so the feed's next events are seen. Without asking the store, a moved watch
        // continues even while the database is unreachable.
        case .unknown where watch.service.store.sentRevision(of: watch.list.name) == revision:
            return .source(FavoritesWatcher(watch, at: .following(revision)))
        case .missed, .unknown: break
        }
        return .later { [self] () async throws(RPCError) in
            let history = try await fromStore { () async throws(StoreError) in
                try await watch.service.store.changes(
                    of: watch.list.name,
                    after: revision,
                    limit: FavoritesWatcher.batch
                )
            }
            guard !watch.hasEnded else { return sendSnapshotOfNewHistory() }
            switch (history, resumption) {
            case (.changes(let changes), _) where changes.isEmpty:
                return .source(FavoritesWatcher(watch, at: .following(revision)))
            case (.changes(let changes), _): return send(changes[...], isAll: changes.count < FavoritesWatcher.batch)
            // In a stream the changes existed when the watch began, and were compacted since, or are damaged.
            case (.compacted, .stream), (.compacted, .place): return sendSnapshot(.compacted)
            case (.compacted(let oldest), .revision):
                throw .revisionCompacted(revision, oldest: oldest, watch.list.place(oldest))
            case (.ahead, .place): return sendSnapshot(.historyChanged)
            case (.ahead(let current), .revision), (.ahead(let current), .stream):
                throw .revisionAhead(revision, current: current, watch.list.place(current))
            }
        }
    }

    private func send(_ changes: ArraySlice<FavoritesChange>, isAll: Bool) -> Step {
        let change = changes[changes.startIndex]
        let later = changes.dropFirst()
        let next: Position =
            if !later.isEmpty {
                .sending(later, isAll: isAll)
            } else {
                isAll ? .following(change.revision) : .resuming(after: change.revision, by: .stream)
            }
        return step(watch.list.encoded(change), next)
    }

    private func step(_ message: any OutgoingMessage, _ position: Position) -> Step {
        .message(message, then: FavoritesWatcher(watch, at: position))
    }
}
