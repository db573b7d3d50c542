package import MarvelDomain

/// `marvel.v1.WatchFavoritesRequest`, as it came: the service judges the values.
package struct WatchFavoritesRequest: Sendable, Hashable {
    /// Empty: the default list.
    package var list: String
    /// The last revision that the watcher has; 0 asks for a snapshot first.
    package var fromRevision: Int64
    /// The place after which the watch goes on; empty: none.
    package var place: String

    package init(list: String = "", fromRevision: Int64 = 0, place: String = "") {
        self.list = list
        self.fromRevision = fromRevision
        self.place = place
    }
}

/// `marvel.v1.WatchFavoritesResponse`.
package struct WatchFavoritesResponse: Sendable, Hashable {
    package enum Event: Sendable, Hashable {
        /// The whole list, as it was at its revision, and why it comes in place of the changes that were asked for.
        case snapshot(FavoritesList, reset: SnapshotReset? = nil)
        case changed(FavoritesChange)
        /// Nothing up to this revision is missing.
        case progress(revision: Int64)
    }

    /// Our server always sends one; nil if the peer sent none, or one that this build does not know.
    package var event: Event?
    package var attribution: String
    /// The list's place after the event; empty from a server that tells none.
    package var place: String

    package init(_ event: Event?, attribution: String = "", place: String = "") {
        self.event = event
        self.attribution = attribution
        self.place = place
    }
}
