internal import HTTPCalls
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2
package import RPCCore
package import RPCTransport

extension ClientWire {
    /// The wire of that name.
    package init(_ wire: ServerEndpoint.Wire) {
        switch wire {
        case .framed: self = .framed
        case .grpc: self = .grpc
        }
    }

    /// gRPC over HTTP/2.
    package static let grpc = ClientWire(
        // Servers end a connection whose pings come more often than every five minutes (gRFC A8).
        minimumKeepaliveInterval: .seconds(310),
        open: { channel, server, options, owner in
            let connection = HTTP2ClientConnection(server, options, owner: owner, eventLoop: channel.eventLoop)
            let decoder = NIOHTTP2Handler(
                mode: .client,
                frameDelegate: connection,
                connectionConfiguration: .client(GRPCClientLimits(options)),
                streamConfiguration: HTTP2RateLimits.client.streams
            )
            if !server.isSecure { try channel.pipeline.syncOperations.addHandler(TLSAlertDetector()) }
            try channel.pipeline.syncOperations.addHandlers([decoder, connection])
        },
        encoder: { template in
            var headers = GRPCRequestHeaders.headers(
                template.method,
                authority: template.server.authority,
                isSecure: template.server.isSecure,
                software: template.software,
                timeoutNanoseconds: TimeAmount(template.timeout).nanoseconds,
                indexing: .indexable
            )
            if let authorization = template.authorization {
                // The server may keep it for the connection: it is sent with each call.
                headers.add(name: "authorization", value: authorization, indexing: .indexable)
            }
            let head = EncodedHead(headers)
            return { EncodedRequest(template.kind, bytes: .prefixed($0), head: head) }
        }
    )
}

/// The headers of calls that are the same but for their messages.
final class EncodedHead: Sendable {
    let headers: HPACKHeaders

    init(_ headers: HPACKHeaders) { self.headers = headers }
}

extension ServerEndpoint {
    /// The name of the server in the headers of calls.
    var authority: String {
        switch address {
        case .tcp: "\(address)"
        case .unix: "localhost"
        }
    }
}

extension GRPCClientLimits {
    init(_ options: RPCClientOptions) {
        let window: Int
        switch options.streamWindow {
        case 0: window = Self.maximumWindow
        // The prefix of a message: its bytes are let in when their number is known, and no other message is begun.
        case 1: window = EnvelopeReader.prefixByteCount
        default: window = min(options.streamWindowByteCount, Self.maximumWindow - 1)
        }
        self.init(
            streamWindow: window,
            maximumMessageByteCount: options.maximumFrameLength,
            heedsStreamLimit: options.heedsStreamLimit
        )
    }
}

extension ByteBuffer {
    /// Returns a message with the prefix that gRPC gives it (grpc/doc/PROTOCOL-HTTP2.md, "Length-Prefixed-Message").
    static func prefixed(_ message: ByteBuffer) -> ByteBuffer {
        var bytes = ByteBufferAllocator().buffer(capacity: EnvelopeReader.prefixByteCount + message.readableBytes)
        bytes.writeMultipleIntegers(0 as UInt8, UInt32(clamping: message.readableBytes))
        bytes.writeImmutableBuffer(message)
        return bytes
    }
}

extension NIOHTTP2Handler.ConnectionConfiguration {
    fileprivate static func client(_ limits: GRPCClientLimits) -> Self {
        var configuration = Self()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .initialWindowSize, value: limits.streamWindow),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 16 * 1024),
        ]
        // Late frames on streams that were reset before these would end the connection.
        configuration.maximumRecentlyResetStreams = 512
        configuration.limitControlFrames(to: .client)
        return configuration
    }
}
