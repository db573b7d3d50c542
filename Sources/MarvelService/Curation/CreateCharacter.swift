internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    func createCharacter(_ call: IncomingCall) throws(RPCError) -> Step {
        let curation = try allowedCuration()
        let request = try CreateCharacterRequest(call, limit: .requestWithPicture)
        return .offEventLoop { () async throws(RPCError) in
            let order = try await EditOrder(request, of: call.principal.name, pictures: curation.pictures)
            let entry = try await curation.makeEdit(order)
            return CreateCharacterResponse(
                character: entry.character,
                editRevision: entry.editRevision,
                attribution: entry.provenance.attribution
            )
        }
    }
}

extension EditOrder {
    fileprivate init(
        _ request: CreateCharacterRequest,
        of principal: String,
        pictures: any PictureCheck
    ) async throws(RPCError) {
        let character = request.character ?? MarvelCharacter(id: 0, name: "")
        // Empty fields are left to the source, in case it has the character one day.
        var fields = EditedField.populated(character, request.picture)
        fields.insert(.name)
        var read = EditRequest(character, request.picture, setting: fields, requestID: request.requestID)
        if character.id < 0 { read.refuse("character.id", "id is \(character.id), minimum is 0") }
        try await read.checkPicture(by: pictures)
        try read.validate()
        self.init(
            .new(character.id == 0 ? nil : character.id),
            read.edit,
            picture: read.picture,
            request: RequestKey(read.requestID, of: principal)
        )
    }
}
