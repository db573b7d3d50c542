internal import CMarvelMessages
internal import NIOCore

extension GetThumbnailRequest: ProtobufMessage {
    package static let fullName = "marvel.v1.GetThumbnailRequest"

    static var initialize: CInitializer<Marvel__V1__GetThumbnailRequest> { marvel__v1__get_thumbnail_request__init }

    init(copying message: Marvel__V1__GetThumbnailRequest) throws(WireError) {
        self.init(id: message.id, variant: try message.variant.text("variant"))
    }

    func fill(_ message: inout Marvel__V1__GetThumbnailRequest, in arena: inout EncodingArena) {
        message.id = id
        message.variant = arena.text(variant)
    }
}

extension GetThumbnailResponse: ProtobufMessage {
    package static let fullName = "marvel.v1.GetThumbnailResponse"

    static var initialize: CInitializer<Marvel__V1__GetThumbnailResponse> { marvel__v1__get_thumbnail_response__init }

    init(copying message: Marvel__V1__GetThumbnailResponse) throws(WireError) {
        self.init(
            data: message.data.buffer,
            mediaType: try message.media_type.text("media_type"),
            variant: try message.variant.text("variant"),
            isPlaceholder: message.placeholder != 0,
            freshness: try Freshness(orDefault: message.freshness),
            attribution: try message.attribution.text("attribution")
        )
    }

    func fill(_ message: inout Marvel__V1__GetThumbnailResponse, in arena: inout EncodingArena) {
        message.data = arena.buffer(data)
        message.media_type = arena.text(mediaType)
        message.variant = arena.text(variant)
        message.placeholder = isPlaceholder ? 1 : 0
        message.freshness = arena.message(freshness)
        message.attribution = arena.text(attribution)
    }
}
