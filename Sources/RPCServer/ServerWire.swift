internal import Glibc
package import HTTPFraming
package import Logging
package import NIOCore
internal import NIOHTTP1
package import RPCCore

/// A way in which bytes of a server's connection carry calls. All wires of a server share its methods, limits, budgets,
/// counters and drain.
package struct ServerWire: Sendable {
    /// The name in logs, which no other wire has.
    package let name: String
    package let open: Opening

    /// A function that lets a new connection speak the wire. It runs on the connection's event loop.
    package typealias Opening =
        @Sendable (_ channel: any Channel, _ server: ServerContext, _ isDraining: Bool) throws -> Void

    package init(_ name: String, open: @escaping Opening) {
        self.name = name
        self.open = open
    }
}

extension ServerWire: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ServerWire {
    /// ttrpc's frames, and our extensions of them.
    package static let framed = ServerWire("framed") { channel, server, isDraining in
        let handler = ConnectionHandler<FramedServerConnection>(server: server, settings: (), isDraining: isDraining)
        try channel.pipeline.syncOperations.addHandler(handler)
    }

    /// gRPC over HTTP/2, and Connect over both versions of HTTP.
    package static let http = http(HTTPRules())

    /// The sizes of the buffers of reads. The channel keeps one while its peer is silent, and those that send much have a large
    /// one soon. The first frames of HTTP/2, and the requests of a single call, fit in the smallest.
    private static let receiveBuffers = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 512, maximum: 16 * 1024)

    /// Makes the wire with other rules.
    ///
    /// - Parameter rules: The rules by which requests are read.
    /// - Returns: The wire.
    package static func http(_ rules: HTTPRules) -> ServerWire { http("http", rules) }

    /// Every wire at one address: frames, and both versions of HTTP. The first bytes of a connection tell which it is.
    package static let all = http("all", HTTPRules(), takesFrames: true)

    static func http(
        _ name: String,
        _ rules: HTTPRules,
        pages: PageResponder? = nil,
        takesFrames: Bool = false
    ) -> ServerWire {
        ServerWire(name) { channel, server, isDraining in
            try channel.syncOptions?.setOption(.recvAllocator, value: receiveBuffers)
            let handlers = ConnectionHandlers(server: server, rules: rules, pages: pages, takesFrames: takesFrames)
            try channel.pipeline.syncOperations.addHandler(WireDetector(handlers, isDraining: isDraining))
        }
    }
}

/// The handlers that let a connection speak a version of HTTP, or the framed wire.
struct ConnectionHandlers {
    let server: ServerContext
    let rules: HTTPRules
    /// The responder of a port that serves pages over HTTP/1.1 only; nil for calls.
    let pages: PageResponder?
    /// Whether frames are calls. If not, they are malformed requests of HTTP.
    let takesFrames: Bool

    func framed(isDraining: Bool) -> [any ChannelHandler] {
        [ConnectionHandler<FramedServerConnection>(server: server, settings: (), isDraining: isDraining)]
    }

    func http2(isDraining: Bool) -> [any ChannelHandler] {
        [ConnectionHandler<HTTP2Connection>(server: server, settings: rules, isDraining: isDraining)]
    }

    func http1(isDraining: Bool) -> [any ChannelHandler] {
        let decoder = HTTP1RequestDecoder()
        let raw = RawBytes()
        let handler = ConnectionHandler<HTTP1Connection>(
            server: server,
            settings: HTTP1Connection.Settings(rules: rules, pages: pages, raw: raw, decoder: decoder),
            isDraining: isDraining
        )
        let parser = ByteToMessageHandler(decoder, maximumBufferSize: HTTP1RequestDecoder.maximumByteCount)
        return [raw, parser, HTTPResponseEncoder(), handler]
    }
}

/// An address that a server listens on, and the wire that it speaks there.
package struct ListeningEndpoint: Sendable, Hashable {
    package let wire: ServerWire
    /// Port 0 asks for a free one.
    package let address: ServerAddress
    /// The descriptor of a socket that listens at the address already; nil if a socket is to be opened. It stays open, and
    /// connections wait in its queue when the server does not accept them.
    package let socket: CInt?
    /// The protection of its connections; nil if their bytes are sent in clear text.
    package let security: ChannelSecurity?

    package init(
        _ address: ServerAddress,
        wire: ServerWire = .framed,
        socket: CInt? = nil,
        security: ChannelSecurity? = nil
    ) {
        self.wire = wire
        self.address = address
        self.socket = socket
        self.security = security
    }

    /// Makes a descriptor of the same socket for a channel, which closes it. The socket itself stays open.
    package static func duplicate(_ socket: CInt) throws -> CInt {
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "fcntl") }
        return descriptor
    }

    /// The name of the wire, the address and the protection, for a log.
    package var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["endpoint": "\(wire.name)", "address": "\(address)"]
        if let security { metadata["security"] = "\(security.name)" }
        return metadata
    }
}
