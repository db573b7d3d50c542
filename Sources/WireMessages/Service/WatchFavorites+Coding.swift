internal import CMarvelMessages
internal import MarvelDomain
internal import NIOCore

extension WatchFavoritesRequest: ProtobufMessage {
    package static let fullName = "marvel.v1.WatchFavoritesRequest"

    static var initialize: CInitializer<Marvel__V1__WatchFavoritesRequest> { marvel__v1__watch_favorites_request__init }

    init(copying message: Marvel__V1__WatchFavoritesRequest) throws(WireError) {
        self.init(
            list: try message.list.text("list"),
            fromRevision: message.from_revision,
            place: try message.place.text("place")
        )
    }

    func fill(_ message: inout Marvel__V1__WatchFavoritesRequest, in arena: inout EncodingArena) {
        message.list = arena.text(list)
        message.from_revision = fromRevision
        message.place = arena.text(place)
    }
}

extension WatchFavoritesResponse: ProtobufMessage {
    package static let fullName = "marvel.v1.WatchFavoritesResponse"

    static var initialize: CInitializer<Marvel__V1__WatchFavoritesResponse> {
        marvel__v1__watch_favorites_response__init
    }

    init(copying message: Marvel__V1__WatchFavoritesResponse) throws(WireError) {
        self.init(
            try Event(copying: message),
            attribution: try message.attribution.text("attribution"),
            place: try message.place.text("place")
        )
    }

    func fill(_ message: inout Marvel__V1__WatchFavoritesResponse, in arena: inout EncodingArena) {
        message.attribution = arena.text(attribution)
        message.place = arena.text(place)
        switch event {
        case .snapshot(let list, let reset):
            message.event_case = MARVEL__V1__WATCH_FAVORITES_RESPONSE__EVENT_SNAPSHOT
            message.snapshot = arena.message(Snapshot(list: list, reset: reset))
        case .changed(let change):
            message.event_case = MARVEL__V1__WATCH_FAVORITES_RESPONSE__EVENT_CHANGED
            message.changed = arena.message(change)
        case .progress(let revision):
            message.event_case = MARVEL__V1__WATCH_FAVORITES_RESPONSE__EVENT_PROGRESS
            message.progress = arena.message(Progress(revision: revision))
        case nil:
            break
        }
    }
}

extension WatchFavoritesResponse.Event {
    /// Copies the event. The union's members overlap: `event_case` says which of them is set.
    fileprivate init?(copying message: Marvel__V1__WatchFavoritesResponse) throws(WireError) {
        switch message.event_case {
        case MARVEL__V1__WATCH_FAVORITES_RESPONSE__EVENT_SNAPSHOT:
            guard let snapshot = try Snapshot(copying: message.snapshot, field: "snapshot") else { return nil }
            self = .snapshot(snapshot.list, reset: snapshot.reset)
        case MARVEL__V1__WATCH_FAVORITES_RESPONSE__EVENT_CHANGED:
            guard let change = try FavoritesChange(copying: message.changed, field: "changed") else { return nil }
            self = .changed(change)
        case MARVEL__V1__WATCH_FAVORITES_RESPONSE__EVENT_PROGRESS:
            guard let progress = try Progress(copying: message.progress, field: "progress") else { return nil }
            self = .progress(revision: progress.revision)
        default:
            return nil
        }
    }
}

/// The message `marvel.v1.WatchFavoritesResponse.Snapshot`.
private struct Snapshot: ProtobufCoded {
    let list: FavoritesList
    let reset: SnapshotReset?

    init(list: FavoritesList, reset: SnapshotReset?) {
        self.list = list
        self.reset = reset
    }

    static var initialize: CInitializer<Marvel__V1__WatchFavoritesResponse__Snapshot> {
        marvel__v1__watch_favorites_response__snapshot__init
    }

    init(copying message: Marvel__V1__WatchFavoritesResponse__Snapshot) throws(WireError) {
        list = FavoritesList(
            favorites: try [Favorite](copying: message.favorites, count: message.n_favorites, field: "favorites"),
            revision: message.revision,
            capacity: Int(message.capacity)
        )
        reset = SnapshotReset(message.reset)
    }

    func fill(_ message: inout Marvel__V1__WatchFavoritesResponse__Snapshot, in arena: inout EncodingArena) {
        message.n_favorites = list.favorites.count
        message.favorites = arena.messages(list.favorites)
        message.revision = list.revision
        message.capacity = Int32(clamping: list.capacity)
        message.reset = reset.map(\.wireValue) ?? MARVEL__V1__WATCH_FAVORITES_RESPONSE__RESET__RESET_NONE
    }
}

extension SnapshotReset {
    /// Reads the reason for a reset. Nil for none. An unknown reason of a newer server is read as the worst of the
    /// known ones: the watcher must not build on the list that it has.
    fileprivate init?(_ value: Marvel__V1__WatchFavoritesResponse__Reset) {
        switch value {
        case MARVEL__V1__WATCH_FAVORITES_RESPONSE__RESET__RESET_NONE: return nil
        case MARVEL__V1__WATCH_FAVORITES_RESPONSE__RESET__RESET_COMPACTED: self = .compacted
        default: self = .historyChanged
        }
    }

    fileprivate var wireValue: Marvel__V1__WatchFavoritesResponse__Reset {
        switch self {
        case .historyChanged: MARVEL__V1__WATCH_FAVORITES_RESPONSE__RESET__RESET_HISTORY_CHANGED
        case .compacted: MARVEL__V1__WATCH_FAVORITES_RESPONSE__RESET__RESET_COMPACTED
        }
    }
}

/// A change as `marvel.v1.WatchFavoritesResponse.Change`.
extension FavoritesChange: ProtobufCoded {
    static var initialize: CInitializer<Marvel__V1__WatchFavoritesResponse__Change> {
        marvel__v1__watch_favorites_response__change__init
    }

    init(copying message: Marvel__V1__WatchFavoritesResponse__Change) throws(WireError) {
        self.init(
            revision: message.revision,
            saved: try Favorite(copying: message.saved, field: "saved"),
            removed: try Favorite(copying: message.removed, field: "removed"),
            evicted: try [Favorite](copying: message.evicted, count: message.n_evicted, field: "evicted"),
            updated: try [Favorite](copying: message.updated, count: message.n_updated, field: "updated"),
            cleared: try [Favorite](copying: message.cleared, count: message.n_cleared, field: "cleared"),
            isDeletion: message.deleted != 0
        )
    }

    func fill(_ message: inout Marvel__V1__WatchFavoritesResponse__Change, in arena: inout EncodingArena) {
        message.revision = revision
        message.saved = saved.map { arena.message($0) }
        message.removed = removed.map { arena.message($0) }
        message.n_evicted = evicted.count
        message.evicted = arena.messages(evicted)
        message.n_updated = updated.count
        message.updated = arena.messages(updated)
        message.n_cleared = cleared.count
        message.cleared = arena.messages(cleared)
        message.deleted = isDeletion ? 1 : 0
    }
}

/// The message `marvel.v1.WatchFavoritesResponse.Progress`.
private struct Progress: ProtobufCoded {
    let revision: Int64

    static var initialize: CInitializer<Marvel__V1__WatchFavoritesResponse__Progress> {
        marvel__v1__watch_favorites_response__progress__init
    }

    init(revision: Int64) { self.revision = revision }

    init(copying message: Marvel__V1__WatchFavoritesResponse__Progress) { revision = message.revision }

    func fill(_ message: inout Marvel__V1__WatchFavoritesResponse__Progress, in arena: inout EncodingArena) {
        message.revision = revision
    }
}
