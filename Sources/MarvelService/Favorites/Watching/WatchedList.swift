internal import MarvelDomain
internal import RPCCore
internal import Synchronization
internal import WireMessages

/// A list's last changes and its last snapshot, encoded once for all watchers. The last watcher releases it. It belongs
/// to one history, and its watchers continue in another list of the same name.
final class WatchedList: MessageLog {
    enum Following {
        case change(EncodedMessage)
        case nothing
        case missed
        /// The list is not known to have reached the revision.
        case unknown
        case ended
    }

    private struct State {
        /// The changes up to `newest`, without gaps. A watcher that is further behind gets a snapshot.
        var recent: [EncodedMessage] = []
        var recentByteCount = 0
        var hasEnded = false
        /// The revision reached by the store's feed; nil before its first event.
        var newest: Int64?
        var snapshot: (contents: EncodedFavorites, message: EncodedMessage)?

        /// Returns whether the event is new.
        mutating func append(_ change: EncodedMessage?, of news: ListChange) -> Bool {
            guard !hasEnded, newest.map({ news.revision > $0 }) ?? true else { return false }
            if let newest, news.change(after: newest) == nil { (recent, recentByteCount) = ([], 0) }
            newest = news.revision
            if let change { append(change) }
            return true
        }

        /// The newest change is kept, whatever its size.
        private mutating func append(_ change: EncodedMessage) {
            recent.append(change)
            recentByteCount += change.byteCount
            while recent.count > 1,
                recent.count > WatchedList.maximumRecent || recentByteCount > WatchedList.maximumRecentBytes
            {
                recentByteCount -= recent.removeFirst().byteCount
            }
        }

        func following(_ revision: Int64) -> Following {
            if hasEnded { return .ended }
            // The contents may be newer than the reported changes. So their revision does not tell which changes are
            // still to be reported.
            guard let newest else { return revision == snapshot?.contents.revision ? .nothing : .unknown }
            guard revision < newest else { return revision == newest ? .nothing : .unknown }
            let oldest = newest - Int64(recent.count)
            return revision >= oldest ? .change(recent[Int(revision - oldest)]) : .missed
        }
    }

    private static let maximumRecent = 256
    private static let maximumRecentBytes = 64 << 10

    let name: ListName
    let history: HistoryID
    private let attribution: @Sendable () -> String
    private let released: @Sendable () -> Void
    private let state = Mutex(State())
    private let wakers = Wakers()

    /// `released` is called when its last watcher releases it.
    init(
        _ name: ListName,
        in history: HistoryID,
        attribution: @escaping @Sendable () -> String,
        released: @escaping @Sendable () -> Void
    ) {
        self.name = name
        self.history = history
        self.attribution = attribution
        self.released = released
    }

    deinit { released() }

    /// Events come in order. A change may come again. If changes before it are missing, watchers that are behind get a
    /// snapshot.
    func changed(_ news: ListChange) {
        let change = news.change.map { encoded($0) }
        let isNew = state.withLock { $0.append(change, of: news) }
        if isNew { wakers.wake() }
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        wakers.wake()
    }

    var hasEnded: Bool { state.withLock(\.hasEnded) }

    func following(_ revision: Int64) -> Following { state.withLock { $0.following(revision) } }

    /// Encoded once for all watchers, except with a `reset`. Nil if the contents cannot be read back.
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

    func encoded(_ change: FavoritesChange) -> EncodedMessage {
        let place = place(change.revision).text
        return EncodedMessage(
            WatchFavoritesResponse(.changed(change), attribution: attribution(), place: place).encoded()
        )
    }

    func place(_ revision: Int64) -> FavoritesPlace {
        FavoritesPlace(list: name, history: history, revision: revision)
    }

    /// The metadata of a watcher that resumes in another call.
    func continuation(after revision: Int64) -> [String: String] {
        ["from_revision": String(revision), "place": place(revision).text]
    }

    func entry(after revision: Int64) -> LogEntry {
        switch following(revision) {
        case .change(let change): .message(change, number: revision + 1)
        case .nothing, .unknown: .nothing
        case .missed, .ended: .missed
        }
    }

    func listen(_ waker: Waker) -> @Sendable () -> Void { wakers.add(waker) }
}
