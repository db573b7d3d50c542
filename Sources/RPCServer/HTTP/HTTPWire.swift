package import HTTPFraming
internal import NIOCore
internal import NIOHTTP1
internal import RPCCore

extension ServerWire {
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
    /// Whether frames are calls. If not, they get an answer that names the port for them.
    let takesFrames: Bool

    func framed(isDraining: Bool) -> [any ChannelHandler] {
        [ConnectionHandler<ServerConnection>(server: server, settings: (), isDraining: isDraining)]
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

/// The limits of headers, on both versions of HTTP.
enum HTTPLimits {
    /// The maximum bytes of the headers of one request.
    static let headerListByteCount = 16 * 1024
}

extension Channel {
    /// Whether the connection was made to an address of the loopback interface.
    var isLoopback: Bool { PeerAddress(localAddress) == .loopback }
}

extension ConnectionAge {
    /// Makes the limit of a connection that begins now. Nil if there is none.
    init?(_ configuration: ServerConfiguration, now: NIODeadline) {
        guard let maximum = configuration.maximumConnectionAge else { return nil }
        let jitter = Double.random(in: Self.jitter)
        self.init(maximum: maximum, grace: configuration.drainTimeout, jitter: jitter, now: now)
    }
}
