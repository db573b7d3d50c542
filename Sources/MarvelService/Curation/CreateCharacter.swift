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
            let order = try EditRequest(creating: character, request).order(
                .new(character.id == 0 ? nil : character.id),
                of: call.principal.name
            )
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

extension EditRequest {
    fileprivate init(creating character: MarvelCharacter, _ request: CreateCharacterRequest) {
        // Empty fields are left to the source, in case it has the character one day.
        let fields = EditedField.populated(character, request.picture).union([.name])
        self.init(character, request.picture, setting: fields, requestID: request.requestID)
        if character.id < 0 { refuse("character.id", "id is \(character.id), minimum is 0") }
    }
}
