/// The parts of an HTTP request on which the reply depends. Other fields of the request are ignored.
struct GatewayRequest: Sendable, Hashable {
    var method = "GET"
    /// The path and query exactly as sent.
    var target: String
    var host: String
    /// `Referer`, or else `Origin`: the page whose script sends the request, if a browser sends it.
    var referer: String?
    var ifNoneMatch: String?
    var acceptEncoding: String?
    /// The `Access-Control-Request-Headers` of a preflight request.
    var requestedHeaders: String?
}

struct RequestTarget {
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
