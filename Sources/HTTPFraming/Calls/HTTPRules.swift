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
    package let isHead: Bool
    private let origin: OriginHeaders

    init(_ request: RequestHeaders, _ origin: OriginHeaders) {
        metadata = request.metadata
        contentLength = request.check.contentLength
        self.origin = origin
        isHead = request.method == "HEAD"
    }

    /// Returns the answer with the headers for browsers.
    package func finished(_ answer: PlainAnswer) -> PlainAnswer { answer.adding(origin) }
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
    ///   - isReadable: Whether a method may be called by GET, by its path; nil if there is no such method.
    /// - Returns: The call, or the answer to another request.
    package func read(
        _ headers: HPACKHeaders,
        isLoopback: Bool,
        isHTTP2: Bool,
        areTooLarge: Bool = false,
        isReadable: (String) -> Bool? = { _ in false }
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
        if let refusal = refusal(of: request.method, allowed: .post) { return .answered(refusal) }
        return .call(CallHead(request, .grpc, fault: areTooLarge ? .headersTooLarge : nil))
    }

    private func meaning(
        of request: RequestHeaders,
        _ page: PageOrigin,
        _ origin: OriginHeaders,
        isLoopback: Bool,
        isReadable: (String) -> Bool?
    ) -> Meaning {
        guard !isLoopback || ServerAddress.isLoopback(authority: request.authority) else {
            return .answered(.foreignHost)
        }
        guard page != .foreign else { return .answered(.foreignOrigin) }
        guard request.expectation.map({ $0.lowercased() == "100-continue" }) ?? true else {
            return .answered(.expectationFailed)
        }
        let route = CallTarget(request, files: files, isReadable: isReadable)
        if let refusal = refusal(of: request.method, allowed: route.methods(of: request)) { return .answered(refusal) }
        if request.method == "POST" {
            guard let format = request.format else { return .answered(.unsupportedMediaType) }
            return .call(CallHead(request, format, origin: origin))
        }
        if request.method == "OPTIONS" { return .answered(.options(route.methods(of: request).allow)) }
        var picture: PictureRequest?
        switch route {
        case .file(let file): return .answered(PlainAnswer(file, ifNoneMatch: request.ifNoneMatch))
        case .picture(let found): picture = found
        case .method, .unknown, .server: break
        }
        // A page that embeds an answer cannot read it, but could use up its cost.
        guard page.isAllowed || !request.fetch.isEmbeddedByOtherSite || picture != nil && !hasUpstreamPictures else {
            return .answered(.foreignSite)
        }
        return .call(CallHead(request, picture, origin: origin))
    }

    private func refusal(of method: String, allowed: HTTPMethods) -> PlainAnswer? {
        PlainAnswer.refusal(of: method, allowed: allowed, notFound: .notFound)
    }
}

/// The meaning of a request's path.
private enum CallTarget {
    case file(StaticFile)
    case picture(PictureRequest)
    case method(isReadable: Bool)
    /// A path that only calls may have: they get UNIMPLEMENTED. `isMethod` means that it has the form of a method's.
    case unknown(isMethod: Bool)
    /// The server itself, in the requests that name no path.
    case server

    init(_ request: RequestHeaders, files: [String: StaticFile], isReadable: (String) -> Bool?) {
        let path = request.path
        if MethodPath(httpPath: path) != nil {
            self = isReadable(path).map(CallTarget.method) ?? .unknown(isMethod: true)
        } else if let file = files[path] {
            self = .file(file)
        } else if let picture = PictureRequest(request) {
            self = .picture(picture)
        } else {
            self = path == "*" || request.method == "CONNECT" ? .server : .unknown(isMethod: false)
        }
    }

    /// The methods of the path; empty if there is no such path.
    func methods(of request: RequestHeaders) -> HTTPMethods {
        switch self {
        case .file, .picture: [.get, .head, .options]
        case .method(let isReadable): isReadable ? [.get, .head, .post, .options] : [.post, .options]
        case .unknown(let isMethod):
            // A browser asks before a call, and shows its page the error of the call only if it may call.
            request.method == "POST" || isMethod && request.method == "OPTIONS" ? [.post, .options] : []
        case .server: request.method == "OPTIONS" ? [.get, .head, .post, .options] : [.options]
        }
    }
}

/// The methods of HTTP that a path allows.
package struct HTTPMethods: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let get = HTTPMethods(rawValue: 1)
    package static let head = HTTPMethods(rawValue: 2)
    package static let post = HTTPMethods(rawValue: 4)
    package static let options = HTTPMethods(rawValue: 8)
    /// Those of RFC 9110 that no path allows.
    private static let other = HTTPMethods(rawValue: 16)

    /// Nil for the name of an unknown method.
    package init?(_ name: String) {
        switch name {
        case "GET": self = .get
        case "HEAD": self = .head
        case "POST": self = .post
        case "OPTIONS": self = .options
        case "PUT", "DELETE", "PATCH", "TRACE", "CONNECT": self = .other
        default: return nil
        }
    }

    /// The value of `Allow`.
    package var allow: String {
        let names: KeyValuePairs<HTTPMethods, String> = [
            .get: "GET", .head: "HEAD", .post: "POST", .options: "OPTIONS",
        ]
        return names.filter { contains($0.key) }.map(\.value).joined(separator: ", ")
    }
}

extension PlainAnswer {
    /// The answer to a method that a path does not allow (RFC 9110, sections 15.5.5, 15.5.6 and 15.6.2); nil if it does.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - allowed: The methods that the path allows; empty if there is no such path.
    ///   - notFound: The answer if there is no such path.
    /// - Returns: The answer, with status 404, 405 or 501.
    package static func refusal(
        of method: String,
        allowed: HTTPMethods,
        notFound: @autoclosure () -> PlainAnswer
    ) -> PlainAnswer? {
        guard let method = HTTPMethods(method) else { return .methodNotImplemented }
        guard !allowed.isEmpty else { return notFound() }
        guard !allowed.isSuperset(of: method) else { return nil }
        return PlainAnswer(405, "method not allowed: use \(allowed.allow)\n", [("allow", allowed.allow)])
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

/// The web page that sends a request, as its browser names it (the Fetch standard, "CORS protocol").
enum PageOrigin: Sendable, Hashable {
    case own
    case allowed(String)
    case foreign

    init(_ origin: String?, authority: String?, allowed: Set<String>) {
        guard let origin else {
            self = .own
            return
        }
        if allowed.contains(origin) {
            self = .allowed(origin)
        } else if let authority, origin == "http://\(authority)" || origin == "https://\(authority)" {
            self = .own
        } else {
            self = .foreign
        }
    }

    var isAllowed: Bool { if case .allowed = self { true } else { false } }
}

/// The context of a request, as a browser names it (the W3C's "Fetch Metadata Request Headers").
struct FetchHeaders: Sendable, Hashable {
    var site: String?
    var mode: String?
    var destination: String?
    /// The purpose of a request without a person, such as `prefetch`.
    var purpose: String?

    /// Whether a page of another site embeds the answer, or requests it in advance. A link that a person follows is not
    /// such a request.
    var isEmbeddedByOtherSite: Bool {
        let isNavigation = mode == "navigate" && (destination ?? "document") == "document" && purpose == nil
        return site == "cross-site" && !isNavigation
    }
}

/// The headers that tell browsers which pages may read the answer, and caches which pages may get it.
struct OriginHeaders: Sendable, Hashable {
    /// The other server's origin that may read the answer, if any.
    private let allowed: String?
    /// Whether answers differ between origins. The answer to a request without an origin says so too: otherwise a cache
    /// would give it to every page.
    private let varies: Bool

    /// The headers of answers that pages of other servers never read.
    static let none = OriginHeaders(.own, varies: false)

    init(_ page: PageOrigin, varies: Bool) {
        if case .allowed(let name) = page { allowed = name } else { allowed = nil }
        self.varies = varies
    }

    func add(to headers: inout HPACKHeaders) {
        if varies { headers.add(name: "vary", value: "Origin") }
        guard let allowed else { return }
        headers.add(name: "access-control-allow-origin", value: allowed)
        headers.add(name: "access-control-expose-headers", value: "ETag, Retry-After")
    }
}
