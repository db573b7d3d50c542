internal import CMarvelMessages
internal import MarvelDomain
internal import NIOCore

extension WatchFavoritesRequest: ProtobufMessage {
    package static let fullName = "marvel.v1.WatchFavoritesRequest"

    static var initialize: CInitializer<Marvel__V1__WatchFavoritesRequest> { marvel__v1__watch_favorites_request__init }

    init(copying message: Marvel__V1__WatchFavoritesRequest) throws(WireError) {
        self.init(list: try message.list.text("list"), fromRevision: message.from_revision)
    }

    func fill(_ message: inout Marvel__V1__WatchFavoritesRequest, in arena: inout EncodingArena) {
        message.list = arena.text(list)
        message.from_revision = fromRevision
    }
}

extension WatchFavoritesResponse: ProtobufMessage {
    package static let fullName = "marvel.v1.WatchFavoritesResponse"

    static var initialize: CInitializer<Marvel__V1__WatchFavoritesResponse> {
        marvel__v1__watch_favorites_response__init
    }

    init(copying message: Marvel__V1__WatchFavoritesResponse) throws(WireError) {
        self.init(try Event(copying: message), attribution: try message.attribution.text("attribution"))
    }

    func fill(_ message: inout Marvel__V1__WatchFavoritesResponse, in arena: inout EncodingArena) {
        message.attribution = arena.text(attribution)
        switch event {
        case .snapshot(let list):
            message.event_case = MARVEL__V1__WATCH_FAVORITES_RESPONSE__EVENT_SNAPSHOT
            message.snapshot = arena.message(list)
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
    /// The union's members overlap: which of them there is, `event_case` says.
    fileprivate init?(copying message: Marvel__V1__WatchFavoritesResponse) throws(WireError) {
        switch message.event_case {
        case MARVEL__V1__WATCH_FAVORITES_RESPONSE__EVENT_SNAPSHOT:
            guard let list = try FavoritesList(copying: message.snapshot, field: "snapshot") else { return nil }
            self = .snapshot(list)
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

/// A list as `marvel.v1.WatchFavoritesResponse.Snapshot`.
extension FavoritesList: ProtobufCoded {
    static var initialize: CInitializer<Marvel__V1__WatchFavoritesResponse__Snapshot> {
        marvel__v1__watch_favorites_response__snapshot__init
    }

    init(copying message: Marvel__V1__WatchFavoritesResponse__Snapshot) throws(WireError) {
        self.init(
            favorites: try [Favorite](copying: message.favorites, count: message.n_favorites, field: "favorites"),
            revision: message.revision,
            capacity: Int(message.capacity)
        )
    }

    func fill(_ message: inout Marvel__V1__WatchFavoritesResponse__Snapshot, in arena: inout EncodingArena) {
        message.n_favorites = favorites.count
        message.favorites = arena.messages(favorites)
        message.revision = revision
        message.capacity = Int32(clamping: capacity)
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
            updated: try [Favorite](copying: message.updated, count: message.n_updated, field: "updated")
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
    }
}

/// `marvel.v1.WatchFavoritesResponse.Progress`.
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
