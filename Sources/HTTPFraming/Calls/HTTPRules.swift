package import NIOHPACK
package import RPCCore

/// The meaning of a request's headers: a call, or something with an immediate answer.
package enum RequestMeaning: Sendable {
    case call(CallHead)
    /// An answer without a call.
    case answered(PlainAnswer, PlainRequest)
    /// HTTP/2 does not permit it. Its stream is reset (RFC 9113, section 8.1.1).
    case malformed
}

/// A request that is answered without a call.
package struct PlainRequest: Sendable {
    package let metadata: Metadata
    /// The announced size of the body, if any.
    package let contentLength: Int?
    private let origin: OriginHeaders
    private let isHead: Bool

    init(_ request: RequestHeaders, _ origin: OriginHeaders) {
        metadata = request.metadata
        contentLength = request.check.contentLength
        self.origin = origin
        isHead = request.method == "HEAD"
    }

    /// Returns the answer with the headers for browsers, and without its body if only headers are wanted.
    package func finished(_ answer: PlainAnswer) -> PlainAnswer { answer.adding(origin, isHead: isHead) }
}

/// The rules for reading requests, the same for all connections of an address.
package struct HTTPRules: Sendable {
    package var corsOrigins: Set<String>
    package var compressesAnswers: Bool
    /// Whether pictures are fetched from a server that limits its calls. Pages of other sites may not use them up.
    package var hasUpstreamPictures: Bool
    private let files: [String: StaticFile]

    package init(
        corsOrigins: Set<String> = [],
        compressesAnswers: Bool = false,
        hasUpstreamPictures: Bool = false,
        files: [StaticFile] = []
    ) {
        self.corsOrigins = corsOrigins
        self.compressesAnswers = compressesAnswers
        self.hasUpstreamPictures = hasUpstreamPictures
        self.files = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
    }

    /// Whether a text is an origin in the form of browsers: a scheme, a host and perhaps a port.
    package static func isOrigin(_ text: String) -> Bool {
        for scheme in ["http://", "https://"] where text.hasPrefix(scheme) {
            let host = text.dropFirst(scheme.count)
            return !host.isEmpty && host.allSatisfy { $0.isASCII && !"/ ,*?#".contains($0) && !$0.isUppercase }
        }
        return false
    }

    /// - Parameters:
    ///   - headers: The headers with lowercase names, and with HTTP/2's names for the parts of the request line.
    ///   - isLoopback: Whether the connection was made to a loopback address. A web page of another server could then
    ///     call
    ///     by a name that it has pointed to this machine, so only the machine's own names are accepted.
    ///   - isHTTP2: Whether the answer may have trailers, as gRPC needs.
    ///   - areTooLarge: Whether the headers are larger than the server permits.
    ///   - isReadable: Whether a path is that of a method that may be called by GET.
    /// - Returns: The call, or the answer to another request.
    package func read(
        _ headers: HPACKHeaders,
        isLoopback: Bool,
        isHTTP2: Bool,
        areTooLarge: Bool = false,
        isReadable: (String) -> Bool = { _ in false }
    ) -> RequestMeaning {
        let request = RequestHeaders(headers)
        guard !isHTTP2 || !request.check.isMalformed else { return .malformed }
        let page = PageOrigin(request.origin, authority: request.authority, allowed: corsOrigins)
        let origin = OriginHeaders(page, varies: !corsOrigins.isEmpty)
        let meaning =
            if request.format == .grpc {
                grpcMeaning(of: request, isHTTP2: isHTTP2, areTooLarge: areTooLarge)
            } else if areTooLarge {
                Meaning.answered(.headersTooLarge)
            } else {
                meaning(of: request, page, origin, isLoopback: isLoopback, isReadable: isReadable)
            }
        switch meaning {
        case .call(let head): return .call(head)
        case .answered(let answer):
            let request = PlainRequest(request, origin)
            return .answered(request.finished(answer), request)
        }
    }

    private enum Meaning {
        case call(CallHead)
        case answered(PlainAnswer)
    }

    private func grpcMeaning(of request: RequestHeaders, isHTTP2: Bool, areTooLarge: Bool) -> Meaning {
        guard isHTTP2 else { return .answered(.http2Required) }
        guard request.method == "POST" else { return .answered(.methodNotAllowed("POST")) }
        return .call(CallHead(request, .grpc, fault: areTooLarge ? .headersTooLarge : nil))
    }

    private func meaning(
        of request: RequestHeaders,
        _ page: PageOrigin,
        _ origin: OriginHeaders,
        isLoopback: Bool,
        isReadable: (String) -> Bool
    ) -> Meaning {
        guard !isLoopback || ServerAddress.isLoopback(authority: request.authority) else {
            return .answered(.foreignHost)
        }
        guard page != .foreign else { return .answered(.foreignOrigin) }
        guard request.expectation.map({ $0.lowercased() == "100-continue" }) ?? true else {
            return .answered(.expectationFailed)
        }
        let allowed = methods(of: request, isReadable: isReadable)
        switch request.method {
        case "POST":
            guard allowed != Self.readMethods else { return .answered(.methodNotAllowed(Self.readMethods)) }
            guard let format = request.format else { return .answered(.unsupportedMediaType) }
            return .call(CallHead(request, format, origin: origin))
        case "GET", "HEAD":
            if let file = files[request.path] {
                return .answered(PlainAnswer(file, ifNoneMatch: request.ifNoneMatch))
            }
            let picture = PictureRequest(request)
            guard picture != nil || isReadable(request.path) else {
                return .answered(allowed.map(PlainAnswer.methodNotAllowed) ?? .notFound)
            }
            // A page that embeds an answer cannot read it, but could use up its cost.
            guard page.isAllowed || !request.fetch.isEmbeddedByOtherSite || picture != nil && !hasUpstreamPictures
            else {
                return .answered(.foreignSite)
            }
            return .call(CallHead(request, picture, origin: origin))
        case "OPTIONS":
            return .answered(allowed.map(PlainAnswer.options) ?? .notFound)
        case "PUT", "DELETE", "PATCH", "TRACE", "CONNECT":
            return .answered(.methodNotAllowed(allowed ?? Self.allMethods))
        default:
            return .answered(.methodNotImplemented)
        }
    }

    private static let callMethods = "POST, OPTIONS"
    private static let readMethods = "GET, HEAD, OPTIONS"
    private static let allMethods = "GET, HEAD, POST, OPTIONS"

    private func methods(of request: RequestHeaders, isReadable: (String) -> Bool) -> String? {
        if request.path == "*" { return Self.allMethods }
        if MethodPath(httpPath: request.path) != nil {
            return isReadable(request.path) ? Self.allMethods : Self.callMethods
        }
        return files[request.path] != nil || PictureRequest(request) != nil ? Self.readMethods : nil
    }
}

extension RPCError {
    /// The headers are larger than announced, but small enough to be decoded.
    package static let headersTooLarge = RPCError(
        .resourceExhausted,
        reason: .metadataTooLarge,
        "the headers are larger than SETTINGS_MAX_HEADER_LIST_SIZE"
    )
}
