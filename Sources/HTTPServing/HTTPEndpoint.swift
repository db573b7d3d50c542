package import NIOCore
package import RPCCore

/// An address that a server of pages listens at, and the protection of its connections.
package struct HTTPEndpoint: Sendable {
    /// A function that adds the handlers of a protection, such as TLS, to a new channel. It runs on the channel's event loop.
    package typealias Protection = @Sendable (_ channel: any Channel) throws -> Void

    /// Port 0 asks for a free one.
    package var address: ServerAddress
    /// The descriptor of a socket that listens at the address already; nil if a socket is to be opened. It stays open, and
    /// connections wait in its queue when the server does not accept them.
    package var socket: CInt?
    /// The protection of the connections; nil if their bytes are sent in clear text.
    package var protection: Protection?

    package init(_ address: ServerAddress, socket: CInt? = nil, protection: Protection? = nil) {
        self.address = address
        self.socket = socket
        self.protection = protection
    }
}

/// The limits for the clients of a server of pages.
package struct HTTPServerLimits: Sendable, Hashable {
    /// The maximum number of open connections. Beyond it, the one that has waited longest for a request is closed.
    package var connections: Int
    /// The maximum number of open connections of one host that is not this machine, with the same effect.
    package var connectionsPerAddress: Int
    /// The time for a request: of the first from the connection on, of others from their first bytes on.
    package var requestTimeout: Duration
    /// The time after which a connection is closed if it has no request, or its request makes no progress.
    package var idleTimeout: Duration
    /// The maximum size of a request's header fields together, in bytes.
    package var headerByteCount: Int
    package var headerFieldCount: Int

    package init(
        connections: Int = 1024,
        connectionsPerAddress: Int = 256,
        requestTimeout: Duration = .seconds(5),
        idleTimeout: Duration = .seconds(75),
        headerByteCount: Int = 16 * 1024,
        headerFieldCount: Int = 100
    ) {
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
        self.requestTimeout = requestTimeout
        self.idleTimeout = idleTimeout
        self.headerByteCount = headerByteCount
        self.headerFieldCount = headerFieldCount
    }
}
