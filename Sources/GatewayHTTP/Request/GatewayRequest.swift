/// The parts of an HTTP request on which the reply depends. Other fields of the request are ignored.
package struct GatewayRequest: Sendable, Hashable {
    package var method: String
    /// The path and query exactly as sent.
    package var target: String
    /// The host and port at which the client reaches this gateway.
    package var host: String
    /// `Referer`, or else `Origin`: the page whose script sends the request, if a browser sends it.
    package var referer: String?
    package var ifNoneMatch: String?
    package var acceptEncoding: String?
    /// The `Access-Control-Request-Headers` of a preflight request.
    package var requestedHeaders: String?

    package init(
        method: String = "GET",
        target: String,
        host: String,
        referer: String? = nil,
        ifNoneMatch: String? = nil,
        acceptEncoding: String? = nil,
        requestedHeaders: String? = nil
    ) {
        self.method = method
        self.target = target
        self.host = host
        self.referer = referer
        self.ifNoneMatch = ifNoneMatch
        self.acceptEncoding = acceptEncoding
        self.requestedHeaders = requestedHeaders
    }
}

/// A request's target, split into its path and its parameters.
struct RequestTarget {
    /// The path as sent, not decoded.
    let path: Substring
    let parameters: QueryParameters

    /// Reads the origin form (`/v1/public/...`), or the absolute form that a client sends to a proxy
    /// (`http://gateway.marvel.com/v1/public/...`, RFC 9112 section 3.2).
    init(_ text: String) {
        var rest = text[...]
        if !rest.hasPrefix("/"), let authority = rest.firstRange(of: "://")?.upperBound {
            rest = rest[authority...].drop { $0 != "/" && $0 != "?" }
        }
        let query = rest.firstIndex(of: "?") ?? rest.endIndex
        self.path = rest[..<query]
        self.parameters = QueryParameters(rest[query...].dropFirst())
    }
}
