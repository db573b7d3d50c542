internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    func createCharacter(_ call: IncomingCall) throws(RPCError) -> Step {
        let curation = try allowedCuration()
        let request = try CreateCharacterRequest(call, limit: .requestWithPicture)
        return .offEventLoop { () async throws(RPCError) in
            let character = request.character ?? MarvelCharacter(id: 0, name: "")
            let order = try EditOrder(creating: character, request, of: call.principal.name)
            let entry = try await curation.make(order)
            let response = CreateCharacterResponse(
                character: entry.character,
                editRevision: entry.editRevision,
                attribution: entry.provenance.attribution
            )
            return .last(response.encoded())
        }
    }
}

extension EditOrder {
    fileprivate init(
        creating character: MarvelCharacter,
        _ request: CreateCharacterRequest,
        of principal: String
    ) throws(RPCError) {
        let id = character.id
        try self.init(
            .new(id == 0 ? nil : id),
            character,
            request.picture,
            // Empty fields are left to the source, in case it has the character one day.
            setting: EditedField.populated(character, request.picture).union([.name]),
            requestID: request.requestID,
            of: principal,
            others: id < 0 ? [EditProblem("character.id", "id is \(id), minimum is 0")] : []
        )
    }
}
