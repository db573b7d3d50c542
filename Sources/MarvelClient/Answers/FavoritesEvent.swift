public import MarvelDomain
public import RPCCore
internal import WireMessages

/// An event of a watched list. Those that come from the server carry the list's place after them, to go on from later;
/// it is nil if the server tells none.
public enum FavoritesEvent: Sendable, Hashable {
    /// The whole list: first, and in place of changes that were missed and are no longer kept. `reset` tells why it comes
    /// though the watch was to go on after a place.
    case snapshot(ListedFavorites, reset: SnapshotReset? = nil)
    /// One change. It follows what came before without a gap.
    case changed(FavoritesChange, place: FavoritesPlace? = nil)
    /// Nothing changed, and up to this revision nothing is missing. It comes from time to time while nothing happens.
    case progress(revision: Int64, place: FavoritesPlace? = nil)
    /// The server is gone, or wants its callers elsewhere. The watch goes on by itself, after `retryDelay`, where it was.
    case interrupted(RPCError, retryDelay: Duration)
}

extension FavoritesEvent {
    /// Nil for a kind of event that a newer server may send.
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
