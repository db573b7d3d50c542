/// What an answer depends on, taken out of an HTTP request. Fields of the request that are not here are ignored.
package struct GatewayRequest: Sendable, Hashable {
    package var method: String
    /// Path and query exactly as they were sent.
    package var target: String
    /// The host and port by which the client knows this gateway.
    package var host: String
    /// `Referer`, or else `Origin`: the page that asks, if a browser does.
    package var referer: String?
    package var ifNoneMatch: String?
    package var acceptEncoding: String?
    /// `Access-Control-Request-Headers` of a preflight.
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
