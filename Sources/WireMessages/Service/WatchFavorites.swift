package import MarvelDomain

/// `marvel.v1.WatchFavoritesRequest`, as it came: the service judges the values.
package struct WatchFavoritesRequest: Sendable, Hashable {
    /// Empty: the default list.
    package var list: String
    /// The last revision that the watcher has; 0 asks for a snapshot first.
    package var fromRevision: Int64

    package init(list: String = "", fromRevision: Int64 = 0) {
        self.list = list
        self.fromRevision = fromRevision
    }
}

/// `marvel.v1.WatchFavoritesResponse`.
package struct WatchFavoritesResponse: Sendable, Hashable {
    package enum Event: Sendable, Hashable {
        /// The whole list, as it was at its revision.
        case snapshot(FavoritesList)
        case changed(FavoritesChange)
        /// Nothing up to this revision is missing.
        case progress(revision: Int64)
    }

    /// Our server always sends one; nil if the peer sent none, or one that this build does not know.
    package var event: Event?
    package var attribution: String

    package init(_ event: Event?, attribution: String = "") {
        self.event = event
        self.attribution = attribution
    }
}
