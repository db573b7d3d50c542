internal import CMarvelMessages
internal import MarvelDomain
internal import NIOCore

extension ToggleFavoriteRequest: ProtobufMessage {
    package static let fullName = "marvel.v1.ToggleFavoriteRequest"

    static var initialize: CInitializer<Marvel__V1__ToggleFavoriteRequest> { marvel__v1__toggle_favorite_request__init }

    init(copying message: Marvel__V1__ToggleFavoriteRequest) throws(WireError) {
        self.init(
            list: try message.list.text("list"),
            characterID: message.character_id,
            requestID: try message.request_id.text("request_id"),
            desired: DesiredValue(rawValue: Int32(bitPattern: message.desired.rawValue))
        )
    }

    func fill(_ message: inout Marvel__V1__ToggleFavoriteRequest, in arena: inout EncodingArena) {
        message.list = arena.text(list)
        message.character_id = characterID
        message.request_id = arena.text(requestID)
        message.desired = Marvel__V1__Desired(rawValue: UInt32(bitPattern: desired.rawValue))
    }
}

extension ToggleFavoriteResponse: ProtobufMessage {
    package static let fullName = "marvel.v1.ToggleFavoriteResponse"

    static var initialize: CInitializer<Marvel__V1__ToggleFavoriteResponse> {
        marvel__v1__toggle_favorite_response__init
    }

    init(copying message: Marvel__V1__ToggleFavoriteResponse) throws(WireError) {
        self.init(
            isFavorite: message.is_favorite != 0,
            revision: message.revision,
            evicted: try [Favorite](copying: message.evicted, count: message.n_evicted, field: "evicted"),
            place: try message.place.text("place")
        )
    }

    func fill(_ message: inout Marvel__V1__ToggleFavoriteResponse, in arena: inout EncodingArena) {
        message.is_favorite = isFavorite ? 1 : 0
        message.revision = revision
        message.n_evicted = evicted.count
        message.evicted = arena.messages(evicted)
        message.place = arena.text(place)
    }
}
