public import MarvelDomain
public import RPCCore
internal import WireMessages

/// An event of a watched list. Events from the server carry the list's place after the event, from which a later watch
/// can resume. The place is nil if the server sends none.
public enum FavoritesEvent: Sendable, Hashable {
    /// The whole list. It comes first, and replaces changes that were missed and are no longer kept. `reset` is the
    /// reason why it comes although the watch was to resume after a place.
    case snapshot(ListedFavorites, reset: SnapshotReset? = nil)
    /// One change. It follows the previous event without a gap.
    case changed(FavoritesChange, place: FavoritesPlace? = nil)
    /// No change: up to this revision nothing is missing. It comes from time to time while the list does not change.
    case progress(revision: Int64, place: FavoritesPlace? = nil)
    /// The server is down, or sends its callers away, and no other server took the watch over at once. The watch resumes
    /// by itself, after `retryDelay`.
    case interrupted(RPCError, retryDelay: Duration)
}

extension FavoritesEvent {
    /// Makes an event; nil for a kind that only newer versions know.
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
