public import MarvelDomain
public import RPCCore
internal import WireMessages

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
