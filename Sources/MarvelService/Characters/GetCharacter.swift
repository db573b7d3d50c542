internal import Catalog
internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

extension CharacterService {
    func getCharacter(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try GetCharacterRequest(call)
        guard request.id > 0 else { throw .tooLow(request.id, field: "id", minimum: 1, .characterIDInvalid) }
        let list = try call.markingList(request.list)
        return try catalog.character(id: request.id).step { [self] entry throws(RPCError) in
            guard let entry else { throw .characterNotFound(request.id) }
            if let favorites = list.map({ lists.ids(of: $0) }) ?? [] {
                return .last(response(entry, favorites))
            }
            return .later { [self] () async throws(RPCError) in
                let favorites = if let list { await lists.loadedIDs(of: list) } else { [Int64]() }
                return .last(response(entry, favorites))
            }
        }
    }

    private func response(_ entry: CatalogEntry, _ favorites: [Int64]) -> ByteBuffer {
        let response = GetCharacterResponse(
            character: entry.character,
            isFavorite: favorites.contains(entry.character.id),
            attribution: entry.provenance.attribution,
            freshness: entry.provenance.freshness,
            editRevision: entry.editRevision
        )
        return response.encoded()
    }
}
