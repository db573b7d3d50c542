internal import MarvelDomain
internal import NIOCore
internal import NIOHPACK
internal import RPCCore
internal import WireMessages

/// A GET of a character's picture: `/pictures/ID/VARIANT`. It is a call of `GetThumbnail`, with the same limits and errors.
///
/// It is the one place where the wire knows a method. The route, the headers that a picture gets and the message that is
/// taken apart for them belong together, and a table of such routes would be a general form for a single use.
package struct PictureRequest: Sendable, Hashable {
    /// The method that is called.
    static let path = "/\(MarvelServiceMethods.getThumbnail.path)"

    private let id: Int64
    private let variant: String
    /// The tags of the pictures that the caller has.
    private let ifNoneMatch: String?
    /// Whether only the headers are wanted.
    let isHead: Bool
    /// Whether only its caller may be given the picture: shared caches do not know who else may see it.
    private let isPrivate: Bool

    /// The name in a path of the variant that has none.
    private static let full = "full"

    /// Nil if the path is not that of a picture.
    init?(_ request: RequestHeaders) {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[1] == "pictures", let id = Int64(parts[2]), !parts[3].isEmpty else { return nil }
        self.id = id
        variant = parts[3] == Self.full ? "" : String(parts[3])
        ifNoneMatch = request.ifNoneMatch
        isHead = request.method == "HEAD"
        isPrivate = request.metadata["authorization"] != nil
    }

    /// The request of the method.
    var message: ByteBuffer { GetThumbnailRequest(id: id, variant: variant).encoded() }

    /// Returns the answer: the picture; or only its tag, if the caller has it.
    ///
    /// - Parameter response: The encoded response of the method.
    /// - Returns: The headers, and the body.
    /// - Throws: INTERNAL if it cannot be decoded.
    func answer(_ response: ByteBuffer) throws(RPCError) -> (headers: HPACKHeaders, body: ByteBuffer) {
        let picture: GetThumbnailResponse
        do throws(WireError) {
            picture = try GetThumbnailResponse(decoding: response, limit: .response)
        } catch {
            throw RPCError(.internalError, reason: .serverFault, "the picture could not be read")
        }
        let tag = Self.tag(of: picture.data)
        let isKnown = ifNoneMatch.map { EntityTag.isNamed(tag, by: $0) } ?? false
        var headers: HPACKHeaders = [":status": isKnown ? "304" : "200", "etag": "\"\(tag)\""]
        // The picture of an id may change, and a missing one may appear.
        headers.add(
            name: "cache-control",
            value: "\(isPrivate ? "private" : "public"), max-age=\(picture.isPlaceholder ? 300 : 86400)"
        )
        guard !isKnown else { return (headers, ByteBuffer()) }
        headers.add(name: "content-type", value: picture.mediaType)
        headers.add(name: "content-length", value: "\(picture.data.readableBytes)")
        headers.add(name: "x-content-type-options", value: "nosniff")
        return (headers, isHead ? ByteBuffer() : picture.data)
    }

    /// Returns the tag of a picture, without quotes: a hash of its bytes.
    private static func tag(of data: ByteBuffer) -> String {
        var hash = FNV1a()
        data.withUnsafeReadableBytes { hash.combine($0) }
        return "\(String(hash.value, radix: 16))-\(data.readableBytes)"
    }
}
