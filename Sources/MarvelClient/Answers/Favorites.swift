public import MarvelDomain
public import RPCCore
internal import WireMessages

public struct ListedFavorites: Sendable, Hashable {
    public var list: FavoritesList
    /// Attribution text to show with the data.
    public var attribution = ""
    /// The list's place at its revision; nil if the server sends no places.
    public var place: FavoritesPlace?
    /// The time since the server lost its database, during which changes may be missing; nil if at most a second.
    public var age: Duration?
}

extension ListedFavorites {
    init(_ response: ListFavoritesResponse) {
        let list = FavoritesList(
            favorites: response.favorites,
            revision: response.revision,
            capacity: Int(response.capacity)
        )
        self.init(
            list: list,
            attribution: response.attribution,
            place: FavoritesPlace(received: response.place),
            age: response.age
        )
    }
}

extension ToggleResult {
    init(_ response: ToggleFavoriteResponse) {
        self.init(
            isFavorite: response.isFavorite,
            revision: response.revision,
            evicted: response.evicted,
            place: FavoritesPlace(received: response.place)
        )
    }
}

extension FavoritesPlace {
    init?(received text: String) {
        guard !text.isEmpty else { return nil }
        self.init(text)
    }
}

/// An event of a watched list. Server events carry the list's place after the event, for a later watch. The place is
/// nil if the server sends no places.
public enum FavoritesEvent: Sendable, Hashable {
    /// The whole list. It comes first, and replaces changes that are no longer kept. `reset` is the reason if the watch
    /// was to resume after a place.
    case snapshot(ListedFavorites, reset: SnapshotReset? = nil)
    /// One change. It follows the previous event without a gap.
    case changed(FavoritesChange, place: FavoritesPlace? = nil)
    /// No change: nothing is missing up to this revision. It comes from time to time while the list is unchanged.
    case progress(revision: Int64, place: FavoritesPlace? = nil)
    /// The server is down or draining, and no other server took the watch over. The watch resumes by itself, after
    /// `retryDelay`.
    case interrupted(RPCError, retryDelay: Duration)
}

extension FavoritesEvent {
    /// Nil for a kind that only newer versions know.
    init?(_ response: WatchFavoritesResponse) {
        let place = FavoritesPlace(received: response.place)
        switch response.event {
        case .snapshot(let snapshot):
            let listed = ListedFavorites(list: snapshot.list, attribution: response.attribution, place: place)
            self = .snapshot(listed, reset: snapshot.reset.reason)
        case .changed(let change):
            self = .changed(change, place: place)
        case .progress(let progress):
            self = .progress(revision: progress.revision, place: place)
        case nil:
            return nil
        }
    }
}

public struct ListInfo: Sendable, Hashable {
    public var name: ListName
    public var revision: Int64
    public var favoriteCount: Int
}

/// A page of the lists of a server.
public struct ListsPage: Sendable, Hashable {
    /// The lists, ordered by name.
    public var lists: [ListInfo]
    /// The token of the next page; empty on the last page.
    public var nextPageToken: String

    public init(lists: [ListInfo], nextPageToken: String = "") {
        self.lists = lists
        self.nextPageToken = nextPageToken
    }
}

extension ListsPage {
    init(_ response: ListListsResponse) throws(RPCError) {
        var lists: [ListInfo] = []
        for list in response.lists {
            guard !list.name.isEmpty, let name = ListName(list.name) else {
                throw .responseInvalid("the server's answer has an invalid list name")
            }
            lists.append(ListInfo(name: name, revision: list.revision, favoriteCount: Int(list.favoriteCount)))
        }
        self.init(lists: lists, nextPageToken: response.nextPageToken)
    }
}

extension ListDeletion {
    init(_ response: DeleteListResponse) {
        self.init(
            revision: response.revision,
            existed: response.existed,
            place: FavoritesPlace(received: response.place)
        )
    }
}
