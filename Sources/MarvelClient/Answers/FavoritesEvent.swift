public import MarvelDomain
public import RPCCore
internal import WireMessages

/// What a watched list does.
public enum FavoritesEvent: Sendable, Hashable {
    /// The whole list: first, and in place of changes that were missed and are no longer kept.
    case snapshot(ListedFavorites)
    /// One change. It follows what came before without a gap.
    case changed(FavoritesChange)
    /// Nothing changed, and up to this revision nothing is missing. It comes from time to time while nothing happens.
    case progress(revision: Int64)
    /// The server is gone, or wants its callers elsewhere. The watch goes on by itself, after `retryDelay`, where it was.
    case interrupted(RPCError, retryDelay: Duration)
}

extension FavoritesEvent {
    /// Nil for a kind of event that a newer server may send.
    init?(_ response: WatchFavoritesResponse) {
        switch response.event {
        case .snapshot(let list):
            self = .snapshot(ListedFavorites(list: list, attribution: response.attribution))
        case .changed(let change):
            self = .changed(change)
        case .progress(let revision):
            self = .progress(revision: revision)
        case nil:
            return nil
        }
    }
}
