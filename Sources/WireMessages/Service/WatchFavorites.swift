package import MarvelDomain

/// `marvel.v1.WatchFavoritesRequest`.
package struct WatchFavoritesRequest: Sendable, Hashable {
    /// Empty: the default list.
    package var list: String
    /// 0: a snapshot first.
    package var fromRevision: Int64

    package init(list: String = "", fromRevision: Int64 = 0) {
        self.list = list
        self.fromRevision = fromRevision
    }
}

/// `marvel.v1.WatchFavoritesResponse`.
package struct WatchFavoritesResponse: Sendable, Hashable {
    package enum Event: Sendable, Hashable {
        case snapshot(FavoritesList)
        case changed(FavoritesChange)
        case progress(revision: Int64)
    }

    /// Nil: a kind that this build does not know.
    package var event: Event?
    package var attribution: String

    package init(_ event: Event?, attribution: String = "") {
        self.event = event
        self.attribution = attribution
    }
}
