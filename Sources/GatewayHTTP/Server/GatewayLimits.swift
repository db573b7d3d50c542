/// What the clients of a gateway may take of it.
package struct GatewayLimits: Sendable, Hashable {
    /// Open at one time; more wait to be accepted.
    package var connections: Int
    /// A connection without a request for this long is closed, and one whose request does not get on.
    package var idleTimeout: Duration
    /// Bytes of a request's header fields together.
    package var headerByteCount: Int
    package var headerFieldCount: Int

    package init(
        connections: Int = 1024,
        idleTimeout: Duration = .seconds(75),
        headerByteCount: Int = 16 * 1024,
        headerFieldCount: Int = 100
    ) {
        self.connections = connections
        self.idleTimeout = idleTimeout
        self.headerByteCount = headerByteCount
        self.headerFieldCount = headerFieldCount
    }
}
