internal import MarvelDomain
internal import NIOCore
internal import NIOHPACK
internal import RPCCore

/// A GET or HEAD that is a call: its message, and the parts of its head that decide how the answer is sent.
///
/// It is an object, because it is a part of every call's head, and most calls have none.
final class ReadRequest: Sendable {
    /// The request message as the caller sent it.
    let message: ByteBuffer
    /// The encoding in which the message is compressed; nil if it is not.
    let compression: String?
    /// Whether only the headers are wanted.
    let isHead: Bool
    /// The tags of the answers that the caller has.
    private let ifNoneMatch: String?
    /// Whether only its caller may be given the answer: shared caches do not know who else may see it.
    private let hasToken: Bool

    init(_ request: RequestHeaders, _ message: ByteBuffer, compression: String? = nil) {
        self.message = message
        self.compression = compression
        isHead = request.method == "HEAD"
        ifNoneMatch = request.ifNoneMatch
        hasToken = request.metadata["authorization"] != nil
    }

    /// Returns the answer; or only its tag, if the caller has it.
    ///
    /// - Parameters:
    ///   - body: The body of the answer to GET.
    ///   - headers: The headers that describe it, with the status 200.
    ///   - cacheSeconds: The time for which a cache may use the answer. Nil if only the caller may store it, and has to ask
    ///     before each use.
    /// - Returns: The headers, and the body.
    func answer(
        _ body: ByteBuffer,
        _ headers: HPACKHeaders,
        cacheSeconds: Int?
    ) -> (headers: HPACKHeaders, body: ByteBuffer) {
        let tag = body.entityTag
        let isKnown = ifNoneMatch.map { EntityTag.isNamed(tag, by: $0) } ?? false
        let scope = hasToken || cacheSeconds == nil ? "private" : "public"
        var headers = isKnown ? [":status": "304"] : headers
        headers.add(name: "etag", value: "\"\(tag)\"")
        headers.add(
            name: "cache-control",
            value: cacheSeconds.map { "\(scope), max-age=\($0)" } ?? "\(scope), no-cache"
        )
        guard !isKnown else { return (headers, ByteBuffer()) }
        headers.add(name: "x-content-type-options", value: "nosniff")
        return (headers, isHead ? ByteBuffer() : body)
    }
}

extension ByteBuffer {
    /// The entity tag of the bytes, without quotes: a hash, and their number.
    var entityTag: String {
        var hash = FNV1a()
        withUnsafeReadableBytes { hash.combine($0) }
        return "\(String(hash.value, radix: 16))-\(readableBytes)"
    }
}
