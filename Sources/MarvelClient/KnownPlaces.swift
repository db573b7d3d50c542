internal import MarvelDomain
internal import Synchronization

/// The last places of lists that a client has seen in responses.
///
/// After a move, the next server may be behind the previous one. With the place, a list read there is not older than
/// what the client has seen.
final class KnownPlaces: Sendable {
    /// The maximum number of lists. The least recently seen ones are evicted.
    static let maximumCount = 256

    private struct Seen {
        var revision: Int64
        var place: FavoritesPlace
    }

    private let places = Mutex(LeastRecentlyUsed<ListName, Seen>(maximumCost: KnownPlaces.maximumCount))

    /// Notes the place of a response. An overtaken call's older place changes nothing.
    func saw(_ place: FavoritesPlace?, at revision: Int64, of list: ListName) {
        guard let place else { return }
        places.withLock { places in
            if let known = places[list], known.revision >= revision { return }
            places.keep(Seen(revision: revision, place: place), for: list)
        }
    }

    func place(of list: ListName) -> FavoritesPlace? {
        places.withLock { $0[list]?.place }
    }

    /// Forgets a place that the server's restored store does not have.
    func forget(_ place: FavoritesPlace, of list: ListName) {
        places.withLock { places in
            if places[list]?.place == place { places.remove(list) }
        }
    }
}
