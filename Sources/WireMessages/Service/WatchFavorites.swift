package import MarvelDomain

/// The message `marvel.v1.WatchFavoritesRequest`, unchecked: the service validates the values.
package struct WatchFavoritesRequest: Sendable, Hashable {
    /// The name of the list; empty means the default list.
    package var list: String
    /// The last revision that the watcher has; 0 asks for a snapshot first.
    package var fromRevision: Int64
    /// The place after which the watch resumes; empty means none.
    package var place: String

    package init(list: String = "", fromRevision: Int64 = 0, place: String = "") {
        self.list = list
        self.fromRevision = fromRevision
        self.place = place
    }
}

/// The message `marvel.v1.WatchFavoritesResponse`.
package struct WatchFavoritesResponse: Sendable, Hashable {
    package enum Event: Sendable, Hashable {
        /// The whole list at its revision, and the reason if it replaces the changes that were asked for.
        case snapshot(FavoritesList, reset: SnapshotReset? = nil)
        case changed(FavoritesChange)
        /// The watcher has all changes up to this revision.
        case progress(revision: Int64)
    }

    /// The event. Our server always sends one; nil if the peer sent none, or one that this build does not know.
    package var event: Event?
    package var attribution: String
    /// The list's place after the event; empty if the server sends none.
    package var place: String

    package init(_ event: Event?, attribution: String = "", place: String = "") {
        self.event = event
        self.attribution = attribution
        self.place = place
    }
}
