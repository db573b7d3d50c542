package import HTTPFraming
internal import NIOHPACK

/// A request on a port that serves pages and no calls.
package struct PageRequest: Sendable {
    package let method: String
    /// The path and query as sent. An absolute target is reduced to them.
    package let target: String
    /// The host that the request names, with the port if there is one.
    package let authority: String?
    package let peer: ConnectionPeer
    private let headers: HPACKHeaders

    init(_ fields: HPACKHeaders, from peer: ConnectionPeer) {
        method = fields.first(name: ":method") ?? ""
        target = fields.first(name: ":path") ?? ""
        authority = fields.first(name: ":authority")
        headers = fields
        self.peer = peer
    }

    package func values(of name: String) -> [String] { headers[name] }

    /// Returns the value of a header that is a list, which may be on several lines (RFC 9110, section 5.3). Nil if there is
    /// none.
    package func list(_ name: String) -> String? {
        let values = headers[name]
        return values.isEmpty ? nil : values.joined(separator: ",")
    }
}

package struct PageAnswer: Sendable {
    package let answer: PlainAnswer
    /// The time before it is sent. A drain ends the wait.
    package var delay = Duration.zero
    /// Whether the connection closes in the middle of the body.
    package var isCut = false

    package init(_ answer: PlainAnswer) { self.answer = answer }
}

/// A function that answers the requests of a port. It has the time of a call without a deadline; then 503 is sent.
package typealias PageResponder = @Sendable (PageRequest) async -> PageAnswer

extension ServerWire {
    /// Makes the wire of a port that serves pages over HTTP/1.1, and no calls.
    package static func pages(_ name: String, _ responder: @escaping PageResponder) -> ServerWire {
        http(name, HTTPRules(), pages: responder)
    }
}
