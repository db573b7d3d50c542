internal import CMarvelMessages
internal import NIOCore

extension PictureUpload: ProtobufCoded {
    static var initialize: CInitializer<Marvel__V1__Picture> { marvel__v1__picture__init }

    init(copying message: Marvel__V1__Picture) throws(WireError) {
        self.init(data: message.data.buffer, mediaType: try message.media_type.text("media_type"))
    }

    func fill(_ message: inout Marvel__V1__Picture, in arena: inout EncodingArena) {
        message.data = arena.buffer(data)
        message.media_type = arena.text(mediaType)
    }
}
