internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// Handles `ListFavorites`: the current list, from the store alone.
    func listFavorites(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try ListFavoritesRequest(call)
        let list = try ListName(request: request.list)
        let atLeast = try store.revision(reading: request.atLeast, of: list, field: "at_least")
        return .later { [store, catalog] () async throws(RPCError) in
            if let atLeast { try await store.wait(for: atLeast, of: list) }
            let favorites: FavoritesList
            do throws(StoreError) {
                favorites = try await store.favorites(list)
            } catch {
                throw RPCError(error)
            }
            let response = ListFavoritesResponse(
                favorites: favorites.favorites,
                revision: favorites.revision,
                capacity: Int32(clamping: favorites.capacity),
                attribution: catalog.attribution,
                place: FavoritesPlace(list: list, history: store.history, revision: favorites.revision).text
            )
            return .last(response.encoded())
        }
    }
}
