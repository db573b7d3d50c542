internal import CMarvelMessages
internal import MarvelDomain
internal import NIOCore

extension GetCharacterRequest: ProtobufMessage {
    package static let fullName = "marvel.v1.GetCharacterRequest"

    static var initialize: CInitializer<Marvel__V1__GetCharacterRequest> { marvel__v1__get_character_request__init }

    init(copying message: Marvel__V1__GetCharacterRequest) throws(WireError) {
        self.init(id: message.id, list: try message.list.text("list"))
    }

    func fill(_ message: inout Marvel__V1__GetCharacterRequest, in arena: inout EncodingArena) {
        message.id = id
        message.list = arena.text(list)
    }
}

extension GetCharacterResponse: ProtobufMessage {
    package static let fullName = "marvel.v1.GetCharacterResponse"

    static var initialize: CInitializer<Marvel__V1__GetCharacterResponse> { marvel__v1__get_character_response__init }

    init(copying message: Marvel__V1__GetCharacterResponse) throws(WireError) {
        self.init(
            character: try MarvelCharacter(copying: message.character, field: "character"),
            isFavorite: message.is_favorite != 0,
            attribution: try message.attribution.text("attribution"),
            freshness: try Freshness(orDefault: message.freshness),
            editRevision: message.edit_revision
        )
    }

    func fill(_ message: inout Marvel__V1__GetCharacterResponse, in arena: inout EncodingArena) {
        message.character = character.map { arena.message($0) }
        message.is_favorite = isFavorite ? 1 : 0
        message.attribution = arena.text(attribution)
        message.freshness = arena.message(freshness)
        message.edit_revision = editRevision
    }
}
