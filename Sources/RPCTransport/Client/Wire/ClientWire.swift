package import NIOCore
package import RPCCore

/// A way in which the bytes of a client's connections carry calls. A client chooses the server, and makes, repeats and
/// ends calls in the same way on all of them.
package struct ClientWire: Sendable {
    /// A function that lets a new channel speak the wire. It runs on the channel's event loop.
    package typealias Opening =
        @Sendable (
            _ channel: any Channel,
            _ server: ServerEndpoint,
            _ options: RPCClientOptions,
            _ owner: any WireConnectionOwner
        ) throws -> Void

    /// A function that returns the encoder of requests that differ in their messages only.
    package typealias Encoding = @Sendable (RequestTemplate) -> RequestEncoder

    /// The shortest silence after which servers take a Ping for what it is, and not for a flood.
    let minimumKeepaliveInterval: Duration
    let open: Opening
    package let encoder: Encoding

    package init(
        minimumKeepaliveInterval: Duration,
        open: @escaping Opening,
        encoder: @escaping Encoding
    ) {
        self.minimumKeepaliveInterval = minimumKeepaliveInterval
        self.open = open
        self.encoder = encoder
    }

    /// A function that returns the wire of a server.
    package typealias Choice = @Sendable (ServerEndpoint.Wire) -> ClientWire
}

/// The part that many requests to a server have in common.
package struct RequestTemplate: Sendable {
    package let method: MethodPath
    package let kind: RPCCore.Method.Kind
    package let timeout: Duration
    package let server: ServerEndpoint
    /// The software name that the server is told.
    package let software: String
    /// The token with which the requests are made; nil for none. A wire that has sent it before them does not repeat it.
    package let credentials: ClientCredentials?

    /// The value of the header with the credentials; nil if there are none, or the server may not get them.
    package var authorization: String? { try? credentials?.authorization(for: server) }

    package init(
        _ method: MethodPath,
        _ kind: RPCCore.Method.Kind,
        timeout: Duration,
        server: ServerEndpoint,
        software: String,
        credentials: ClientCredentials? = nil
    ) {
        self.method = method
        self.kind = kind
        self.timeout = timeout
        self.server = server
        self.software = software
        self.credentials = credentials
    }
}

/// A function that encodes a request for its wire.
package typealias RequestEncoder = @Sendable (_ payload: ByteBuffer) -> EncodedRequest

/// A request as its wire sends it. Programs that make very many calls encode it once.
///
/// It is a class, so that passing it on for each call counts one reference.
package final class EncodedRequest: Sendable {
    package let kind: RPCCore.Method.Kind
    /// The bytes of the message, with all that the wire writes around it.
    package let bytes: ByteBuffer
    /// The part that the wire sends before the bytes, as an object of the wire's own; nil if it has none.
    package let head: (any AnyObject & Sendable)?

    package init(_ kind: RPCCore.Method.Kind, bytes: ByteBuffer, head: (any AnyObject & Sendable)? = nil) {
        self.kind = kind
        self.bytes = bytes
        self.head = head
    }
}
