internal import MarvelDomain
internal import NIOCore
internal import NIOHPACK
internal import RPCCore

/// A GET or HEAD that is a call: its message, and the headers that decide on the answer's form.
///
/// It is an object, because it is a part of every call's head, and most calls are without one.
final class ReadRequest: Sendable {
    let message: ByteBuffer
    /// Nil if the message is not compressed.
    let compression: String?
    let isHead: Bool
    private let ifNoneMatch: String?
    /// Whether only the caller may get the answer: shared caches do not know who else may see it.
    private let hasToken: Bool

    init(_ request: RequestHeaders, _ message: ByteBuffer, compression: String? = nil) {
        self.message = message
        self.compression = compression
        isHead = request.method == "HEAD"
        ifNoneMatch = request.ifNoneMatch
        hasToken = request.metadata["authorization"] != nil
    }

    /// The answer; or only its tag, if the caller has it.
    ///
    /// - Parameters:
    ///   - body: The body of the answer to GET.
    ///   - headers: The headers that describe it, with the status 200.
    ///   - cacheSeconds: The time for which a cache may use the answer. Nil if only the caller may store it, and must
    ///     ask
    ///     before each use.
    /// - Returns: The headers, and the body.
    func answer(
        _ body: ByteBuffer,
        _ headers: HPACKHeaders,
        cacheSeconds: Int?
    ) -> (headers: HPACKHeaders, body: ByteBuffer) {
        let tag = body.entityTag
        let isKnown = PlainAnswer.status(ofTagged: tag, ifNoneMatch: ifNoneMatch) == 304
        let scope = hasToken || cacheSeconds == nil ? "private" : "public"
        var headers = isKnown ? [":status": "304"] : headers
        headers.add(name: "etag", value: "\"\(tag)\"")
        headers.add(
            name: "cache-control",
            value: cacheSeconds.map { "\(scope), max-age=\($0)" } ?? "\(scope), no-cache"
        )
        guard !isKnown else { return (headers, ByteBuffer()) }
        headers.add(name: "x-content-type-options", value: "nosniff")
        return (headers, body)
    }
}

extension ByteBuffer {
    /// Without quotes: a hash, and the number of the bytes.
    var entityTag: String {
        var hash = FNV1a()
        withUnsafeReadableBytes { hash.combine(words: $0) }
        return "\(String(hash.value, radix: 16))-\(readableBytes)"
    }
}
