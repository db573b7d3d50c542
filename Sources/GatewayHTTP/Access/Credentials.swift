/// The credentials of a request. Nil means absent, which differs from empty.
package struct Credentials: Sendable, Hashable {
    package var key: String?
    package var timestamp: String?
    package var hash: String?
    /// The page whose script sends the request, if a browser sends it.
    package var referer: String?

    package init(key: String?, timestamp: String?, hash: String?, referer: String? = nil) {
        self.key = key
        self.timestamp = timestamp
        self.hash = hash
        self.referer = referer
    }

    init(_ parameters: QueryParameters, referer: String?) {
        self.init(key: parameters["apikey"], timestamp: parameters["ts"], hash: parameters["hash"], referer: referer)
    }
}
