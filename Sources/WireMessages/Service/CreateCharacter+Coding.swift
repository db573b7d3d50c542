internal import CMarvelMessages
internal import MarvelDomain
internal import NIOCore

extension CreateCharacterRequest: ProtobufMessage {
    package static let fullName = "marvel.v1.CreateCharacterRequest"

    static var initialize: CInitializer<Marvel__V1__CreateCharacterRequest> {
        marvel__v1__create_character_request__init
    }

    init(copying message: Marvel__V1__CreateCharacterRequest) throws(WireError) {
        self.init(
            character: try MarvelCharacter(copying: message.character, field: "character"),
            picture: try PictureUpload(copying: message.picture, field: "picture"),
            requestID: try message.request_id.text("request_id")
        )
    }

    func fill(_ message: inout Marvel__V1__CreateCharacterRequest, in arena: inout EncodingArena) {
        message.character = character.map { arena.message($0) }
        message.picture = picture.map { arena.message($0) }
        message.request_id = arena.text(requestID)
    }
}

extension CreateCharacterResponse: ProtobufMessage {
    package static let fullName = "marvel.v1.CreateCharacterResponse"

    static var initialize: CInitializer<Marvel__V1__CreateCharacterResponse> {
        marvel__v1__create_character_response__init
    }

    init(copying message: Marvel__V1__CreateCharacterResponse) throws(WireError) {
        self.init(
            character: try MarvelCharacter(copying: message.character, field: "character"),
            editRevision: message.edit_revision,
            attribution: try message.attribution.text("attribution")
        )
    }

    func fill(_ message: inout Marvel__V1__CreateCharacterResponse, in arena: inout EncodingArena) {
        message.character = character.map { arena.message($0) }
        message.edit_revision = editRevision
        message.attribution = arena.text(attribution)
    }
}
