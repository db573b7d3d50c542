internal import CMarvelMessages
internal import MarvelDomain
internal import NIOCore

extension UpdateCharacterRequest: ProtobufMessage {
    package static let fullName = "marvel.v1.UpdateCharacterRequest"

    static var initialize: CInitializer<Marvel__V1__UpdateCharacterRequest> {
        marvel__v1__update_character_request__init
    }

    init(copying message: Marvel__V1__UpdateCharacterRequest) throws(WireError) {
        self.init(
            character: try MarvelCharacter(copying: message.character, field: "character"),
            updateMask: try FieldMask(copying: message.update_mask, field: "update_mask")?.paths ?? [],
            picture: try PictureUpload(copying: message.picture, field: "picture"),
            editRevision: message.edit_revision,
            requestID: try message.request_id.text("request_id")
        )
    }

    func fill(_ message: inout Marvel__V1__UpdateCharacterRequest, in arena: inout EncodingArena) {
        message.character = character.map { arena.message($0) }
        message.update_mask = updateMask.isEmpty ? nil : arena.message(FieldMask(paths: updateMask))
        message.picture = picture.map { arena.message($0) }
        message.edit_revision = editRevision
        message.request_id = arena.text(requestID)
    }
}

extension UpdateCharacterResponse: ProtobufMessage {
    package static let fullName = "marvel.v1.UpdateCharacterResponse"

    static var initialize: CInitializer<Marvel__V1__UpdateCharacterResponse> {
        marvel__v1__update_character_response__init
    }

    init(copying message: Marvel__V1__UpdateCharacterResponse) throws(WireError) {
        self.init(
            character: try MarvelCharacter(copying: message.character, field: "character"),
            editRevision: message.edit_revision,
            attribution: try message.attribution.text("attribution")
        )
    }

    func fill(_ message: inout Marvel__V1__UpdateCharacterResponse, in arena: inout EncodingArena) {
        message.character = character.map { arena.message($0) }
        message.edit_revision = editRevision
        message.attribution = arena.text(attribution)
    }
}
