internal import HTTPFraming
internal import NIOCore
internal import RPCCore

enum PageType: String {
    case text = "text/plain; charset=utf-8"
    case json = "application/json"
    case html = "text/html; charset=utf-8"
    case metrics = "text/plain; version=0.0.4; charset=utf-8"
}

extension PlainAnswer {
    /// `challenges` are the values of `WWW-Authenticate`.
    init(_ status: Int, _ type: PageType, _ body: String, challenges: [String] = []) {
        let headers = [
            ("Content-Type", type.rawValue), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
            // The page of the status has a style of its own, and nothing else.
            ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
        ]
        self.init(status, headers + challenges.map { ("WWW-Authenticate", $0) }, body: ByteBuffer(string: body))
    }

    /// RFC 6750, section 3.
    init(_ failure: AccessFailure) {
        let bearer = #"Bearer realm="marvel-server""#
        // With Basic a browser asks for the token (RFC 7617).
        let basic = #"Basic realm="marvel-server", charset="UTF-8""#
        let invalid = [#"\#(bearer), error="invalid_token""#, basic]
        switch failure {
        case .tokenMissing:
            self.init(
                401,
                .text,
                "a token with the scope admin is needed: send Authorization: Bearer TOKEN, or the token as the password in a browser\n",
                challenges: [#"\#(bearer), scope="admin""#, basic]
            )
        case .tokenInvalid: self.init(401, .text, "the token is not valid\n", challenges: invalid)
        case .tokenExpired: self.init(401, .text, "the token has expired\n", challenges: invalid)
        case .tokenInClear: self.init(403, .text, "other machines can open this page only over TLS\n")
        case .scopeMissing(let principal, let scope):
            self.init(
                403,
                .text,
                "\(principal) lacks the scope \(scope)\n",
                challenges: [#"\#(bearer), error="insufficient_scope", scope="\#(scope)""#]
            )
        }
    }
}
