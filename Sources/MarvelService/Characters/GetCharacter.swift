internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// Handles `GetCharacter`: one character, and whether it is on the caller's list.
    func getCharacter(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try GetCharacterRequest(call)
        guard request.id > 0 else { throw .characterIDInvalid(request.id, field: "id") }
        let list = try ListName(request: request.list)
        return try catalog.character(id: request.id).step { [store] entry throws(RPCError) in
            guard let entry else { throw .characterNotFound(request.id) }
            let response = GetCharacterResponse(
                character: entry.character,
                isFavorite: store.favoriteIDs(list).contains(request.id),
                attribution: entry.provenance.attribution,
                freshness: entry.provenance.freshness,
                editRevision: entry.editRevision
            )
            return .last(response.encoded())
        }
    }
}
