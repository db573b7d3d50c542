internal import Events
internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import Synchronization
internal import WireMessages

/// A list that someone watches: its last changes and, once someone asked for it, what it holds. Each change and each
/// snapshot is encoded once for all watchers. It lives as long as its watchers do.
final class WatchedList: Sendable {
    /// What follows a revision.
    enum Following {
        case change(EncodedChange)
        /// There is none: the revision is the list's.
        case nothing
        /// Some that follow have been let go of.
        case missed
        /// Nobody has said so far that the list has come there.
        case unknown
    }

    private struct State {
        var recent = RecentChanges()
        /// What the list holds, from when it was loaded on.
        var list: FavoritesList?
        var snapshot: EncodedMessage?
        /// The watchers' event loops, each with what wakes those who live there.
        var relays: [ObjectIdentifier: Relay] = [:]
    }

    let name: ListName
    private let history: HistoryID
    private let attribution: @Sendable () -> String
    private let ended: @Sendable (ListName) -> Void
    private let state = Mutex(State())
    /// The newest that watchers have to know of; 0 until there is one.
    private let revision = CurrentValueSubject<Int64>(0)

    /// - Parameters:
    ///   - name: Which list it is.
    ///   - history: The history in which its revisions count.
    ///   - attribution: The line to show with the data.
    ///   - ended: Called when its last watcher has gone.
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

    // MARK: What happens

    /// The list was changed. Called with every change, in order, never two at a time.
    func changed(_ change: FavoritesChange) {
        let encoded = encoded(change)
        state.withLock { state in
            state.recent.append(encoded)
            state.snapshot = nil
            guard let revision = state.list?.revision, change.revision > revision else { return }
            // Not the next one: what the list holds has to be read again.
            if change.revision == revision + 1 { state.list?.apply(change) } else { state.list = nil }
        }
        revision.send(change.revision)
    }

    /// The list was read, by someone who saw it watched before. What has happened since is here already, unless it was
    /// so much that the first of it is gone: then the next one who reads is sooner.
    func loaded(_ list: FavoritesList) {
        state.withLock { state in
            guard state.list == nil, let missing = state.recent.changes(after: list.revision) else { return }
            state.list = missing.reduce(into: list) { list, encoded in list.apply(encoded.change) }
        }
    }

    // MARK: What watchers ask

    func following(_ revision: Int64) -> Following {
        state.withLock { state in
            if let change = state.recent.change(after: revision) { return .change(change) }
            // What was read may be ahead of what was heard: it says nothing of what is still to be heard.
            guard let newest = state.recent.revision ?? state.list?.revision else { return .unknown }
            if revision == newest { return .nothing }
            return revision < newest && state.recent.revision != nil ? .missed : .unknown
        }
    }

    /// The whole list, and its revision; nil before it was loaded. Those with a `reset` are few, and are encoded anew.
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

    /// The list's place at a revision.
    func place(_ revision: Int64) -> FavoritesPlace {
        FavoritesPlace(list: name, history: history, revision: revision)
    }

    /// The place at which a watcher that has all up to a revision resumes with another call, as errors name it.
    func goOn(_ revision: Int64) -> [String: String] {
        ["from_revision": String(revision), "place": place(revision).text]
    }

    /// Wakes when the list has come further than `revision`, at once if it has.
    ///
    /// - Returns: What ends the wait.
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
