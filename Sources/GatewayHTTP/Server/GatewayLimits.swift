/// The limits for the clients of a gateway.
package struct GatewayLimits: Sendable, Hashable {
    /// The maximum number of open connections; further ones wait to be accepted.
    package var connections: Int
    /// The time after which a connection is closed if it has no request, or its request makes no progress.
    package var idleTimeout: Duration
    /// The maximum size of a request's header fields together, in bytes.
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
