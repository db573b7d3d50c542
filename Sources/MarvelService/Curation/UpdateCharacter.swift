internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// All readers see the new fields when the call is answered.
    func updateCharacter(_ call: IncomingCall) throws(RPCError) -> Step {
        let curation = try allowedCuration()
        let request = try UpdateCharacterRequest(call, limit: .requestWithPicture)
        return .offEventLoop { [self] () async throws(RPCError) in
            let character = request.character ?? MarvelCharacter(id: 0, name: "")
            let order = try EditOrder(updating: character, request, of: call.principal.name)
            if case .ready(nil) = catalog.character(id: character.id) { throw .characterNotFound(character.id) }
            let entry = try await curation.make(order)
            let response = UpdateCharacterResponse(
                character: entry.character,
                editRevision: entry.editRevision,
                attribution: entry.provenance.attribution
            )
            return .last(response.encoded())
        }
    }

    /// Throws EDITS_UNSUPPORTED or, after that check, EDITS_NOT_ALLOWED.
    func allowedCuration() throws(RPCError) -> Curation {
        guard let curation else { throw .editsUnsupported() }
        guard allowsEdits else { throw .editsNotAllowed() }
        return curation
    }
}

extension EditOrder {
    fileprivate init(
        updating character: MarvelCharacter,
        _ request: UpdateCharacterRequest,
        of principal: String
    ) throws(RPCError) {
        let mask = request.updateMask?.paths ?? []
        var fields: Set<EditedField> = []
        var problems: [EditProblem] = []
        func refuse(_ field: String, _ text: String) { problems.append(EditProblem(field, text)) }
        for (index, path) in mask.enumerated() {
            if path == "*" {
                fields = Set(EditedField.allCases)
            } else if let field = EditedField(rawValue: path) {
                fields.insert(field)
            } else {
                refuse("update_mask.paths[\(index)]", "update_mask names a field that cannot be edited")
            }
        }
        if mask.isEmpty { fields = EditedField.populated(character, request.picture) }
        let setsNothing = fields.isEmpty && problems.isEmpty
        if character.id <= 0 { refuse("character.id", "id is \(character.id), minimum is 1") }
        if request.editRevision < -1 {
            refuse("edit_revision", "edit_revision is \(request.editRevision), minimum is -1")
        }
        if setsNothing { refuse("update_mask", "the update sets no field") }
        if request.picture != nil, !fields.contains(.picture) {
            refuse("update_mask", "the request has a picture, but update_mask does not name picture")
        }
        try self.init(
            .existing(character.id),
            character,
            request.picture,
            setting: fields,
            expectedRevision: request.editRevision == 0 ? nil : max(request.editRevision, 0),
            requestID: request.requestID,
            of: principal,
            others: problems
        )
    }
}
