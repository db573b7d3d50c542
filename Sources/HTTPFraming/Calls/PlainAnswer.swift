internal import MarvelDomain
package import NIOCore
package import NIOHPACK
package import RPCCore

package struct PlainAnswer: Sendable {
    package private(set) var headers: HPACKHeaders
    /// A text for people, or the bytes of a file.
    package private(set) var body: ByteBuffer

    /// The cause of a refusal that is logged as a call; nil for all other answers.
    package let loggedReason: ErrorReason?

    init(
        _ status: Int,
        _ text: String,
        _ fields: [(String, String)] = [],
        loggedReason: ErrorReason? = nil
    ) {
        self.loggedReason = loggedReason
        headers = [":status": "\(status)"]
        if !text.isEmpty { headers.add(name: "content-type", value: "text/plain; charset=utf-8") }
        if status != 204 { headers.add(name: "content-length", value: "\(text.utf8.count)") }
        for (name, value) in fields { headers.add(name: name, value: value) }
        body = ByteBuffer(string: text)
    }

    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The headers, without the length of the body.
    ///   - body: The body. An answer with status 204 or 304 has none.
    package init(_ status: Int, _ fields: [(String, String)], body: ByteBuffer) {
        loggedReason = nil
        headers = [":status": "\(status)"]
        for (name, value) in fields { headers.add(name: name, value: value) }
        let hasBody = status != 204 && status != 304
        if hasBody { headers.add(name: "content-length", value: "\(body.readableBytes)") }
        self.body = hasBody ? body : ByteBuffer()
    }

    /// The status of an answer that has a tag: 200, or 304 if the caller has what the tag names (RFC 9110, section 13.1.2).
    package static func status(ofTagged tag: String, ifNoneMatch: String?) -> Int {
        ifNoneMatch.map { EntityTag.isNamed(tag, by: $0) } == true ? 304 : 200
    }

    /// Returns a file, or only its tag if the caller has it.
    init(_ file: StaticFile, ifNoneMatch: String?) {
        let status = Self.status(ofTagged: file.tag, ifNoneMatch: ifNoneMatch)
        let type = status == 200 ? [("content-type", file.mediaType)] : []
        self.init(status, [("etag", "\"\(file.tag)\"")] + file.headers.map { ($0, $1) } + type, body: file.bytes)
    }

    /// Makes an error in the form of Connect.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - status: The status; nil for the one of its code.
    package init(_ error: RPCError, status: Int? = nil) {
        let status = status ?? ConnectError.httpStatus(of: error.code)
        var fields = [("content-type", "application/json")]
        // RFC 9110, section 15.5.2: a 401 names what would be accepted.
        if status == 401 { fields.append(("www-authenticate", "Bearer")) }
        // RFC 9110, section 12.5.3: the supported encodings of a request.
        if status == 501 { fields.append(("accept-encoding", "gzip, identity")) }
        if let delay = error.retryDelay { fields.append(("retry-after", "\(max(1, delay.secondsRoundedUp))")) }
        self.init(status, fields, body: ConnectError.json(error))
    }

    package var status: Int { headers.first(name: ":status").flatMap(Int.init) ?? 0 }

    package var isRefusal: Bool { ![200, 204, 304].contains(status) }

    func adding(_ origin: OriginHeaders) -> PlainAnswer {
        var answer = self
        origin.add(to: &answer.headers)
        return answer
    }

    package static let methodNotImplemented = PlainAnswer(501, "unknown HTTP method\n")

    static let notFound = PlainAnswer(
        404,
        "not found: call methods by POST to /service/method; pictures are at /pictures/ID/VARIANT\n"
    )

    static let unsupportedMediaType = PlainAnswer(
        415,
        "unsupported content type: use one of \(CallFormat.contentTypes)\n",
        [("accept-post", CallFormat.contentTypes)]
    )

    static let foreignOrigin = PlainAnswer(
        403,
        "web pages of this origin must not call this server: allow it with --cors-origin\n",
        loggedReason: .originRefused
    )

    static let foreignSite = PlainAnswer(
        403,
        "pages of other sites must not embed this: allow them with --cors-origin, and set "
            + "crossorigin in their img elements\n",
        loggedReason: .originRefused
    )

    static let foreignHost = PlainAnswer(
        403,
        "this server listens only on the loopback interface, and not under this name: use localhost\n",
        loggedReason: .originRefused
    )

    static let expectationFailed = PlainAnswer(417, "unsupported expectation: use 100-continue\n")

    static let http2Required = PlainAnswer(505, "gRPC needs HTTP/2\n")

    package static let versionNotSupported = PlainAnswer(505, "unsupported HTTP version: use 2 or 1.1\n")

    package static let badRequest = PlainAnswer(400, "the request is malformed\n")

    package static let codingNotImplemented = PlainAnswer(501, "unsupported transfer coding: use chunked\n")

    package static let headersTooLarge = PlainAnswer(431, "the headers are too large\n")

    /// A page was not made in time.
    package static let timedOut = PlainAnswer(503, "no answer in time\n")

    /// Returns the answer to OPTIONS, also for the request with which browsers ask before a call.
    static func options(_ allowed: String) -> PlainAnswer {
        PlainAnswer(
            204,
            "",
            [
                ("allow", allowed),
                ("access-control-allow-methods", allowed),
                ("access-control-allow-headers", allowedHeaders),
                ("access-control-max-age", "7200"),
            ]
        )
    }

    private static let allowedHeaders =
        "Content-Type, Authorization, Connect-Protocol-Version, Connect-Timeout-Ms, Connect-Accept-Encoding, "
        + "Connect-Content-Encoding, If-None-Match, traceparent, X-Request-Id"
}

extension ErrorReason {
    /// A web page's origin, or its host name, is not allowed. Only the log of calls has this reason: the page gets a
    /// plain 403.
    static let originRefused = ErrorReason(rawValue: "ORIGIN_REFUSED")
}
