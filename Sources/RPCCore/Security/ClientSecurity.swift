package import NIOCore

/// A protection of the bytes of a client's connections, such as TLS.
package struct ClientSecurity: Sendable {
    /// A function that adds the handlers of the protection to a new channel, before those of a wire. It runs on the
    /// channel's event loop. The handlers fire `SecureHandshake` when the handshake is complete, and each failure of
    /// theirs as a `SecurityError`.
    package typealias Opening = @Sendable (_ channel: any Channel) throws -> Void

    /// A function that returns the opening of connections to a server. Its future fails with `SecurityError`. The first call
    /// may read files, on another thread.
    package typealias Preparation =
        @Sendable (_ server: ServerEndpoint, _ eventLoop: any EventLoop) -> EventLoopFuture<Opening>

    package let prepare: Preparation

    package init(prepare: @escaping Preparation) {
        self.prepare = prepare
    }

    /// A protection that no connection gets: its client was made without one.
    package static let unavailable = ClientSecurity { _, eventLoop in
        eventLoop.makeFailedFuture(SecurityError("this client was made without TLS"))
    }
}

/// A failure of a connection's protection.
package struct SecurityError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text for people: the cause and, where there is one, the remedy.
    package let cause: String
    /// Whether another attempt with the same server would fail in the same way.
    package let isPermanent: Bool

    package init(_ cause: String, isPermanent: Bool = true) {
        self.cause = cause
        self.isPermanent = isPermanent
    }

    package var description: String { cause }
}
