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
            let order = try await EditOrder(request, of: call.principal.name, pictures: curation.pictures)
            if case .existing(let id) = order.target, !isKnown(id) { throw .characterNotFound(id) }
            let entry = try await curation.makeEdit(order)
            return UpdateCharacterResponse(
                character: entry.character,
                editRevision: entry.editRevision,
                attribution: entry.provenance.attribution
            )
        }
    }

    /// Checks whether callers may edit.
    ///
    /// - Throws: EDITS_UNSUPPORTED or, after that check, EDITS_NOT_ALLOWED.
    func allowedCuration() throws(RPCError) -> Curation {
        guard let curation else { throw .editsUnsupported() }
        guard allowsEdits else { throw .editsNotAllowed() }
        return curation
    }

    func isKnown(_ id: Int64) -> Bool {
        guard case .ready(let entry) = catalog.character(id: id) else { return true }
        return entry != nil
    }
}

extension Curation {
    func makeEdit(_ order: EditOrder) async throws(RPCError) -> CatalogEntry {
        let entry: CatalogEntry?
        do throws(EditError) {
            entry = try await make(order)
        } catch {
            throw RPCError(error)
        }
        guard let entry else {
            // Another server reverted the edit immediately.
            throw RPCError(EditError.conflict(current: 0))
        }
        return entry
    }
}

extension EditOrder {
    fileprivate init(
        _ request: UpdateCharacterRequest,
        of principal: String,
        pictures: any PictureCheck
    ) async throws(RPCError) {
        let character = request.character ?? MarvelCharacter(id: 0, name: "")
        let mask = request.updateMask?.paths ?? []
        var fields: Set<EditedField> = []
        var unknown: [(Int, String)] = []
        for (index, path) in mask.enumerated() {
            if path == "*" {
                fields = Set(EditedField.allCases)
            } else if let field = EditedField(rawValue: path) {
                fields.insert(field)
            } else {
                unknown.append((index, "update_mask names a field that cannot be edited"))
            }
        }
        if mask.isEmpty { fields = EditedField.populated(character, request.picture) }
        var read = EditRequest(character, request.picture, setting: fields, requestID: request.requestID)
        for (index, text) in unknown { read.refuse("update_mask.paths[\(index)]", text) }
        if character.id <= 0 { read.refuse("character.id", "id is \(character.id), minimum is 1") }
        if request.editRevision < 0 {
            read.refuse("edit_revision", "edit_revision is \(request.editRevision), minimum is 0")
        }
        if fields.isEmpty, unknown.isEmpty { read.refuse("update_mask", "the update sets no field") }
        if request.picture != nil, !fields.contains(.picture) {
            read.refuse("update_mask", "the request has a picture, but update_mask does not name picture")
        }
        try await read.checkPicture(by: pictures)
        try read.validate()
        self.init(
            .existing(character.id),
            read.edit,
            picture: read.picture,
            expectedRevision: request.editRevision == 0 ? nil : request.editRevision,
            request: RequestKey(read.requestID, of: principal)
        )
    }
}
