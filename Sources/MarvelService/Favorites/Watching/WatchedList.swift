internal import Events
internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import Synchronization
internal import WireMessages

/// A watched list: its last changes and, once a watcher needed it, its contents. Each change and each snapshot is
/// encoded once for all watchers. It is released with its last watcher.
final class WatchedList: Sendable {
    /// The state of the list after a revision.
    enum Following {
        case change(EncodedChange)
        /// There is no later change: the revision is the list's.
        case nothing
        /// Some of the later changes are no longer kept.
        case missed
        /// The list is not known to have reached the revision.
        case unknown
    }

    private struct State {
        var recent = RecentChanges()
        /// The contents of the list, once it was loaded.
        var list: FavoritesList?
        var snapshot: EncodedMessage?
        /// The watchers' event loops, each with the relay that wakes its watchers.
        var relays: [ObjectIdentifier: Relay] = [:]
    }

    let name: ListName
    private let history: HistoryID
    private let attribution: @Sendable () -> String
    private let ended: @Sendable (ListName) -> Void
    private let state = Mutex(State())
    /// The newest revision for the watchers; 0 if there is none.
    private let revision = CurrentValueSubject<Int64>(0)

    /// - Parameters:
    ///   - name: The name of the list.
    ///   - history: The history in which its revisions count.
    ///   - attribution: The line to show with the data.
    ///   - ended: Called when its last watcher is released.
    init(
        _ name: ListName,
        in history: HistoryID,
        attribution: @escaping @Sendable () -> String,
        ended: @escaping @Sendable (ListName) -> Void
    ) {
        self.name = name
        self.history = history
        self.attribution = attribution
        self.ended = ended
    }

    deinit { ended(name) }

    // MARK: Changes

    /// Notes a change of the list. Called with every change, in order, never two at a time.
    func changed(_ change: FavoritesChange) {
        let encoded = encoded(change)
        state.withLock { state in
            state.recent.append(encoded)
            state.snapshot = nil
            guard let revision = state.list?.revision, change.revision > revision else { return }
            // A change is missing: the contents have to be read again.
            if change.revision == revision + 1 { state.list?.apply(change) } else { state.list = nil }
        }
        revision.send(change.revision)
    }

    /// Keeps the contents that a watcher has read while the list was watched. Later changes are applied from the recent
    /// ones. If some of them are not kept any more, the contents are discarded, and the next watcher reads again.
    func loaded(_ list: FavoritesList) {
        state.withLock { state in
            guard state.list == nil, let missing = state.recent.changes(after: list.revision) else { return }
            state.list = missing.reduce(into: list) { list, encoded in list.apply(encoded.change) }
        }
    }

    // MARK: Queries of watchers

    func following(_ revision: Int64) -> Following {
        state.withLock { state in
            if let change = state.recent.change(after: revision) { return .change(change) }
            // The contents may be newer than the reported changes, so they do not tell which changes are still to be
            // reported.
            guard let newest = state.recent.revision ?? state.list?.revision else { return .unknown }
            if revision == newest { return .nothing }
            return revision < newest && state.recent.revision != nil ? .missed : .unknown
        }
    }

    /// Returns a snapshot and its revision; nil before the list was loaded. Snapshots with a `reset` are rare, and are
    /// encoded each time.
    func snapshot(reset: SnapshotReset? = nil) -> (message: EncodedMessage, revision: Int64)? {
        let (list, snapshot) = state.withLock { ($0.list, $0.snapshot) }
        guard let list else { return nil }
        if let reset { return (encoded(list, reset: reset), list.revision) }
        if let snapshot { return (snapshot, list.revision) }
        let message = encoded(list)
        state.withLock { state in
            if state.list?.revision == list.revision { state.snapshot = message }
        }
        return (message, list.revision)
    }

    func encoded(_ list: FavoritesList, reset: SnapshotReset? = nil) -> EncodedMessage {
        let response = WatchFavoritesResponse(
            .snapshot(list, reset: reset),
            attribution: attribution(),
            place: place(list.revision).text
        )
        return EncodedMessage(response.encoded())
    }

    func encoded(_ change: FavoritesChange) -> EncodedChange {
        EncodedChange(change, attribution: attribution(), place: place(change.revision))
    }

    /// Returns the list's place at a revision.
    func place(_ revision: Int64) -> FavoritesPlace {
        FavoritesPlace(list: name, history: history, revision: revision)
    }

    /// Returns the metadata with which a watcher that has all changes up to a revision resumes in another call.
    func goOn(_ revision: Int64) -> [String: String] {
        ["from_revision": String(revision), "place": place(revision).text]
    }

    /// Wakes a waker when the list is beyond `revision`, at once if it is.
    ///
    /// - Returns: A function that ends the wait.
    func wake(_ waker: Waker, after revision: Int64) -> @Sendable () -> Void {
        relay(on: waker.eventLoop).wake(waker, after: revision)
    }

    private func relay(on eventLoop: any EventLoop) -> Relay {
        state.withLock { state in
            let id = ObjectIdentifier(eventLoop)
            if let relay = state.relays[id] { return relay }
            let relay = Relay(of: revision, on: eventLoop)
            state.relays[id] = relay
            return relay
        }
    }
}
