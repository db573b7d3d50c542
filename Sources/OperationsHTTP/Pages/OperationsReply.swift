internal import RPCCore

/// A reply of the operations port.
package struct OperationsReply: Sendable, Hashable {
    package enum ContentType: String, Sendable, Hashable {
        case text = "text/plain; charset=utf-8"
        case json = "application/json"
        case html = "text/html; charset=utf-8"
        case metrics = "text/plain; version=0.0.4; charset=utf-8"
    }

    package let status: Int
    package let type: ContentType
    package let body: String
    /// The value of `WWW-Authenticate`: what the sender of the request has to prove. (RFC 6750, section 3)
    package let challenge: String?

    package init(_ status: Int = 200, _ type: ContentType = .text, _ body: String, challenge: String? = nil) {
        self.status = status
        self.type = type
        self.body = body
        self.challenge = challenge
    }
}

extension OperationsReply {
    /// The second challenge of a reply with status 401, for browsers. (RFC 7617)
    static let basic = #"Basic realm="marvel-server", charset="UTF-8""#

    /// Makes the reply to a request for a page that its sender may not see. It says what is missing.
    init(_ failure: AccessFailure) {
        let realm = #"Bearer realm="marvel-server""#
        switch failure {
        case .tokenMissing:
            self.init(
                401,
                .text,
                "a token with the scope admin is needed: send Authorization: Bearer TOKEN, or the token as the password in a browser\n",
                challenge: #"\#(realm), scope="admin""#
            )
        case .tokenInvalid:
            self.init(401, .text, "the token is not valid\n", challenge: #"\#(realm), error="invalid_token""#)
        case .tokenExpired:
            self.init(401, .text, "the token has expired\n", challenge: #"\#(realm), error="invalid_token""#)
        case .tokenInClear:
            self.init(403, .text, "other machines can open this page only over TLS\n")
        case .scopeMissing(let principal, let scope):
            self.init(
                403,
                .text,
                "\(principal) lacks the scope \(scope)\n",
                challenge: #"\#(realm), error="insufficient_scope", scope="\#(scope)""#
            )
        }
    }
}
