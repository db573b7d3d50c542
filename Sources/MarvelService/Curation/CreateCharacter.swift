internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// `CreateCharacter`: a new character, found by searches when this is answered.
    func createCharacter(_ call: IncomingCall) throws(RPCError) -> Step {
        let curation = try allowedCuration()
        let request = try CreateCharacterRequest(call, limit: .requestWithPicture)
        return .elsewhere { () async throws(RPCError) in
            let order = try await EditOrder(request, pictures: curation.pictures)
            let entry = try await curation.made(order)
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
        pictures: any PictureCheck
    ) async throws(RPCError) {
        let character = request.character ?? MarvelCharacter(id: 0, name: "")
        // What is empty is not said: if a source has the character one day, it may say it.
        var fields = EditedField.populated(character, request.picture)
        fields.insert(.name)
        var read = EditRequest(character, request.picture, setting: fields, requestID: request.requestID)
        if character.id < 0 { read.refuse("character.id", "id is \(character.id), minimum is 0") }
        await read.checkPicture(by: pictures)
        try read.validate()
        self.init(
            .new(character.id == 0 ? nil : character.id),
            read.edit,
            picture: read.picture,
            requestID: read.requestID
        )
    }
}
