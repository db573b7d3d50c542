internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// Handles `ListFavorites`: the current list, or the last known one with its age. The catalog is not asked.
    func listFavorites(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try ListFavoritesRequest(call)
        let list = try call.list(request.list, for: .reading)
        let place = try lists.leastPlace(request.atLeast, of: list, field: "at_least")
        // The hot path: an answer that is encoded already.
        let age = lists.age
        if let favorites = lists.knownFavorites(list, atLeast: place) {
            return if let age { .last(AgedFavorites(favorites, age: age)) } else { .last(favorites) }
        }
        return .later { [lists] () async throws(RPCError) in
            .last(try await lists.favorites(list, atLeast: place))
        }
    }
}
