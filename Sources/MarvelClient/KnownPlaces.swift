internal import MarvelDomain
internal import Synchronization

/// The last places of lists that a client has seen in responses.
///
/// A server that a client moves to may be behind the one before. With the place, a list that is read there is not older
/// than what the client has seen.
final class KnownPlaces: Sendable {
    /// The maximum number of lists. Of more, those are forgotten that were seen least recently.
    static let maximumCount = 256

    private struct Seen {
        var revision: Int64
        var place: FavoritesPlace
    }

    private struct State {
        var places: [ListName: Seen] = [:]
        /// The lists, least recently seen first.
        var order: [ListName] = []
    }

    private let state = Mutex(State())

    /// Notes the place of a response. An older one than the known place, as of a call that was overtaken, changes nothing.
    func saw(_ place: FavoritesPlace?, at revision: Int64, of list: ListName) {
        guard let place else { return }
        state.withLock { state in
            if let known = state.places[list], known.revision >= revision { return }
            state.places[list] = Seen(revision: revision, place: place)
            state.order.removeAll { $0 == list }
            state.order.append(list)
            if state.order.count > Self.maximumCount { state.places[state.order.removeFirst()] = nil }
        }
    }

    func place(of list: ListName) -> FavoritesPlace? {
        state.withLock { $0.places[list]?.place }
    }

    /// Forgets a place that the server's store does not have, because it was restored.
    func forget(_ place: FavoritesPlace, of list: ListName) {
        state.withLock { state in
            guard state.places[list]?.place == place else { return }
            state.places[list] = nil
            state.order.removeAll { $0 == list }
        }
    }
}
