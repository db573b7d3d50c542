import NIOCore
import RPCCore
import WireMessages

/// The method of the Marvel service that the wire calls for pictures.
enum TestPictures {
    /// The bytes of the picture of character 1.
    static let picture: [UInt8] = [0x89, 1, 2, 3]

    /// Answers with a picture for character 1, with a placeholder for 2, and with nothing for others. There is one size.
    static let service = RPCService(
        name: "marvel.v1.MarvelService",
        methods: [
            RPCMethod(name: "GetThumbnail", kind: .unary) { call throws(RPCError) in
                guard let request = try? GetThumbnailRequest(decoding: call.payload, limit: .request) else {
                    throw RPCError(.invalidArgument, reason: .requestMalformed, "no request")
                }
                guard ["", "standard_large"].contains(request.variant) else {
                    throw RPCError(.invalidArgument, reason: .variantUnknown, "no such variant")
                }
                guard request.id == 1 || request.id == 2 else {
                    throw RPCError(.notFound, reason: .thumbnailNotFound, "no picture")
                }
                let response = GetThumbnailResponse(
                    data: ByteBuffer(bytes: picture),
                    mediaType: "image/png",
                    isPlaceholder: request.id == 2
                )
                return .last(response.encoded())
            }
        ]
    )
}
