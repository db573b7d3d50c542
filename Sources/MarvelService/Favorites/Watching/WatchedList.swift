internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import Synchronization
internal import WireMessages

/// A watched list: its last changes, and its last snapshot. Each change and each snapshot is encoded once for all
/// watchers. The last watcher releases it.
///
/// It belongs to one history, and ends with it. Its watchers continue in another list of the same name.
final class WatchedList: MessageLog {
    enum Following {
        case change(EncodedChange)
        /// The revision is the list's newest.
        case nothing
        /// Some of the later changes are no longer kept.
        case missed
        /// The list is not known to have reached the revision.
        case unknown
        case ended
    }

    private struct State {
        var recent = RecentChanges()
        var hasEnded = false
        /// The revision that the list has reached by the store's feed; nil before its first event.
        var newest: Int64?
        /// The last snapshot, with the contents from which it was made.
        var snapshot: (contents: EncodedFavorites, message: EncodedMessage)?
        /// For each event loop of watchers, the relay that wakes them.
        var relays: [ObjectIdentifier: Relay] = [:]
    }

    let name: ListName
    let history: HistoryID
    private let attribution: @Sendable () -> String
    private let ended: @Sendable (ListName) -> Void
    private let state = Mutex(State())
    /// The newest revision for the watchers; 0 before the first.
    private let revision = CurrentValueSubject<Int64>(0)

    /// - Parameters:
    ///   - name: The name of the list.
    ///   - history: The history of its revisions.
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

    /// Called with every change, in order, never concurrently. A change may come again.
    func changed(_ change: FavoritesChange) {
        guard isNew(change.revision) else { return }
        let encoded = encoded(change)
        state.withLock { state in
            state.recent.append(encoded)
            state.newest = change.revision
        }
        revision.send(change.revision)
    }

    /// The list has reached a revision by missing changes. Watchers that are behind it get a snapshot. Called like
    /// `changed`.
    func reached(_ revision: Int64) {
        guard isNew(revision) else { return }
        state.withLock { $0.newest = revision }
        self.revision.send(revision)
    }

    /// Another history has begun. This wakes the watchers.
    func end() {
        state.withLock { $0.hasEnded = true }
        revision.send(.max)
    }

    private func isNew(_ revision: Int64) -> Bool {
        state.withLock { state in !state.hasEnded && state.newest.map { revision > $0 } ?? true }
    }

    // MARK: Queries of watchers

    var hasEnded: Bool { state.withLock(\.hasEnded) }

    func following(_ revision: Int64) -> Following {
        state.withLock { state in
            if state.hasEnded { return .ended }
            if let change = state.recent.change(after: revision) { return .change(change) }
            // The contents may be newer than the reported changes. So their revision does not tell which changes are
            // still to be reported.
            guard let newest = state.newest ?? state.snapshot?.contents.revision else { return .unknown }
            if revision == newest { return .nothing }
            return revision < newest && state.newest != nil ? .missed : .unknown
        }
    }

    /// Encoded once for all watchers. Snapshots with a `reset` are rare, and are encoded each time. Nil if the contents
    /// cannot be read back.
    func snapshot(of contents: EncodedFavorites, reset: SnapshotReset? = nil) -> EncodedMessage? {
        if reset == nil, let last = state.withLock(\.snapshot), last.contents === contents { return last.message }
        guard let list = contents.list else { return nil }
        let message = snapshot(of: list, reset: reset)
        if reset == nil { state.withLock { $0.snapshot = (contents, message) } }
        return message
    }

    func snapshot(of list: FavoritesList, reset: SnapshotReset? = nil) -> EncodedMessage {
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

    func place(_ revision: Int64) -> FavoritesPlace {
        FavoritesPlace(list: name, history: history, revision: revision)
    }

    /// The metadata with which a watcher that has all changes up to a revision resumes in another call.
    func goOn(_ revision: Int64) -> [String: String] {
        ["from_revision": String(revision), "place": place(revision).text]
    }

    // MARK: Connections of watchers

    func entry(after revision: Int64) -> LogEntry {
        switch following(revision) {
        case .change(let change): .message(change, number: change.change.revision)
        case .nothing, .unknown: .nothing
        case .missed, .ended: .missed
        }
    }

    func listen(_ waker: Waker) -> @Sendable () -> Void { relay(on: waker.eventLoop).add(waker) }

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
