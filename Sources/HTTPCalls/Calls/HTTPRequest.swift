package import NIOHPACK
internal import RPCCore

/// The meaning of a request's headers: a call, or something that is answered at once.
package enum HTTPRequest: Sendable {
    case call(CallHead)
    case answered(PlainAnswer)
}

/// The rules by which requests are read, which are the same for all connections of an address.
package struct HTTPRules: Sendable, Hashable {
    /// The origins whose web pages may call, as a browser writes them: `https://example.org`.
    package var corsOrigins: Set<String>
    /// Whether answers are compressed for callers that accept it.
    package var compressesAnswers: Bool

    package init(corsOrigins: Set<String> = [], compressesAnswers: Bool = false) {
        self.corsOrigins = corsOrigins
        self.compressesAnswers = compressesAnswers
    }

    /// Whether a text is an origin as browsers write it: a scheme, a host and perhaps a port.
    package static func isOrigin(_ text: String) -> Bool {
        for scheme in ["http://", "https://"] where text.hasPrefix(scheme) {
            let host = text.dropFirst(scheme.count)
            return !host.isEmpty && host.allSatisfy { $0.isASCII && !"/ ,*?#".contains($0) && !$0.isUppercase }
        }
        return false
    }

    /// Reads the headers of a request.
    ///
    /// - Parameters:
    ///   - headers: The headers with lowercase names, and with HTTP/2's names for the parts of the request line.
    ///   - isLoopback: Whether the connection was made to a loopback address. A web page of another server could then call
    ///     by a name that it has pointed to this machine, so only the machine's own names are accepted.
    ///   - isHTTP2: Whether the answer may have trailers, as gRPC needs.
    /// - Returns: The call, or the answer to what is none.
    package func read(_ headers: HPACKHeaders, isLoopback: Bool, isHTTP2: Bool) -> HTTPRequest {
        var fields = RequestFields(headers)
        if let type = fields.contentType, CallFormat(contentType: type) == .grpc {
            guard isHTTP2 else { return .answered(.http2Required) }
            guard fields.method == "POST" else { return .answered(.methodNotAllowed("POST")) }
            return .call(CallHead(fields, .grpc))
        }
        fields.path = String(fields.path.prefix { $0 != "?" })
        guard !isLoopback || PageOrigin.isLocal(fields.authority) else { return .answered(.foreignHost) }
        let origin = PageOrigin(fields.origin, authority: fields.authority, allowed: corsOrigins)
        guard origin != .foreign else { return .answered(.foreignOrigin) }
        return read(fields, from: origin)
    }

    private func read(_ fields: RequestFields, from origin: PageOrigin) -> HTTPRequest {
        switch fields.method {
        case "POST":
            guard let format = fields.contentType.flatMap(CallFormat.init) else {
                return .answered(PlainAnswer.unsupportedMediaType.readable(by: origin))
            }
            return .call(CallHead(fields, format, origin: origin.name))
        case "GET", "HEAD":
            guard let picture = PictureRequest(fields) else {
                let isMethod = MethodPath(httpPath: fields.path) != nil
                let answer: PlainAnswer = isMethod ? .methodNotAllowed("POST") : .notFound
                return .answered(answer.readable(by: origin))
            }
            return .call(CallHead(fields, .picture, origin: origin.name, picture: picture))
        case "OPTIONS":
            return .answered(PlainAnswer.options.readable(by: origin))
        default:
            return .answered(.methodNotAllowed("POST, GET, HEAD, OPTIONS"))
        }
    }
}

/// The web page that sends a request, as its browser names it (the Fetch standard, "CORS protocol").
enum PageOrigin: Sendable, Hashable {
    /// A page of this server, or no browser.
    case own
    /// A page of another server that may call.
    case allowed(String)
    /// A page of another server that may not.
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

    var name: String? {
        guard case .allowed(let name) = self else { return nil }
        return name
    }

    /// Whether a request's host is a name or an address of the loopback interface. One that names none is no browser's.
    static func isLocal(_ authority: String?) -> Bool {
        guard let authority, !authority.isEmpty else { return true }
        if authority.hasPrefix("[") { return authority.hasPrefix("[::1]") }
        let host = authority.prefix { $0 != ":" }.lowercased()
        return ServerAddress.isLoopback(host: host) || host.hasSuffix(".localhost")
    }
}
