/// The protocols that one side offers in the handshake (ALPN), the preferred one first. A peer may name none.
package enum ApplicationProtocols: Sendable, Hashable, CaseIterable {
    case framed
    case http
    case http1
    /// The framed wire, and both versions of HTTP.
    case all

    var names: [String] {
        switch self {
        case .framed: ["marvel-rpc/1"]
        case .http: ["h2", "http/1.1"]
        case .http1: ["http/1.1"]
        case .all: Self.framed.names + Self.http.names
        }
    }
}
