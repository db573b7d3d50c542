internal import NIOCore
internal import NIOHPACK
internal import RPCCore
internal import WireMessages

/// A GET of a character's picture: `/pictures/ID/VARIANT`. It is a call of `GetThumbnail`, with the same limits and
/// errors.
///
/// This is the only place where the wire knows a method. The route, the picture's headers and its message belong
/// together. A table of such routes would be a general form for a single use.
struct PictureRequest {
    static let path = "/\(MarvelServiceMethods.getThumbnail.path)"

    private let id: Int64
    private let variant: String

    private static let full = "full"

    init?(_ request: RequestHeaders) {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[1] == "pictures", let id = Int64(parts[2]), !parts[3].isEmpty else { return nil }
        self.id = id
        variant = parts[3] == Self.full ? "" : String(parts[3])
    }

    var message: ByteBuffer { GetThumbnailRequest(id: id, variant: variant).encoded() }

    /// The picture; or only its tag, if the caller has it.
    ///
    /// - Throws: INTERNAL if it cannot be decoded.
    static func answer(
        _ response: ByteBuffer,
        to request: ReadRequest
    ) throws(RPCError) -> (headers: HPACKHeaders, body: ByteBuffer) {
        let picture: GetThumbnailResponse
        do throws(WireError) {
            picture = try GetThumbnailResponse(decoding: response, limit: .response)
        } catch {
            throw RPCError(.internalError, reason: .serverFault, "the picture could not be read")
        }
        // The picture of an id may change, and a missing one may appear.
        return request.answer(
            picture.data,
            [
                ":status": "200", "content-type": picture.mediaType, "content-length": "\(picture.data.readableBytes)",
            ],
            cacheSeconds: picture.isPlaceholder ? 300 : 86400
        )
    }
}
