internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// Answers with the last known list and its age if necessary. It does not use the catalog.
    func listFavorites(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try ListFavoritesRequest(call)
        let list = try call.list(request.list, for: .reading)
        let place = try lists.leastPlace(request.atLeast, of: list, field: "at_least")
        // The hot path: an encoded answer.
        let age = lists.age
        if let favorites = lists.knownFavorites(list, atLeast: place) {
            return if let age { .last(AgedFavorites(favorites, age: age)) } else { .last(favorites) }
        }
        return .later { [lists] () async throws(RPCError) in
            .last(try await lists.favorites(list, atLeast: place))
        }
    }
}
