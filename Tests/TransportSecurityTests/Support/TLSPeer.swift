import Framing
import NIOCore
import NIOPosix
import NIOSSL
import RPCCore
import Synchronization
import TestCertificates
import WireClients
import WireMessages

/// A peer that speaks TLS, and in it whatever a test wants.
final class TLSPeer: Sendable {
    private struct State {
        var byteCount = 0
        var hasGoodbye = false
    }

    private let channel: any Channel
    private let state: StateBox

    private final class StateBox: Sendable { let value = Mutex(State()) }

    /// Connects, and completes the handshake.
    ///
    /// - Parameters:
    ///   - port: The port of the server on this machine.
    ///   - certificates: The authorities.
    ///   - protocols: Those that it offers.
    ///   - reads: Whether it reads by itself.
    /// - Returns: The peer.
    /// - Throws: If it cannot connect.
    static func connect(
        to port: Int,
        _ certificates: TestCertificates,
        protocols: [String] = [],
        reads: Bool = true
    ) async throws -> TLSPeer {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(certificates.authority())
        configuration.certificateVerification = .noHostnameVerification
        configuration.applicationProtocols = protocols
        let context = try NIOSSLContext(configuration: configuration)
        let state = StateBox()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.socketOption(.so_rcvbuf), value: 64 * 1024)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 32 * 1024))
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let tls = try NIOSSLClientHandler(context: context, serverHostname: nil)
                    try channel.pipeline.syncOperations.addHandlers([tls, Receiver(state)])
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        if !reads { channel.read() }
        let peer = TLSPeer(channel, state)
        try await eventually { try peer.hasCertificate }
        return peer
    }

    private init(_ channel: any Channel, _ state: StateBox) {
        self.channel = channel
        self.state = state
    }

    /// Whether the server's certificate has arrived. The version of TLS is known before.
    private var hasCertificate: Bool {
        get throws {
            try channel.eventLoop.submit { [channel] in
                (try? channel.pipeline.syncOperations.nioSSL_peerCertificate()) ?? nil
            }
            .wait() != nil
        }
    }

    /// The serial number of the server's certificate.
    func serialNumber() async throws -> [UInt8]? {
        try await channel.eventLoop.submit { [channel] in
            try channel.pipeline.syncOperations.nioSSL_peerCertificate()?.serialNumber
        }.get()
    }

    var receivedByteCount: Int { state.value.withLock(\.byteCount) }
    /// Whether the server has closed its side, in the way of TLS or not.
    var hasGoodbye: Bool { state.value.withLock(\.hasGoodbye) }

    func send(_ bytes: ByteBuffer) async throws { try await channel.writeAndFlush(bytes) }

    func send(_ text: String) async throws { try await send(ByteBuffer(string: text)) }

    /// Sends a request of the framed wire.
    func call(_ method: String, _ count: UInt32, isStream: Bool = false, on id: StreamID = 1) async throws {
        let envelope = RequestEnvelope(
            service: "test.v1.Test",
            method: method,
            payload: ByteBuffer(integer: count),
            timeoutNanoseconds: 0
        )
        var bytes = ByteBuffer()
        bytes.writeFrame(.request, on: id, flags: isStream ? .remoteClosed : [], data: envelope.encoded())
        try await send(bytes)
    }

    /// Reads once, at most 32 KiB.
    func read() { channel.read() }

    /// Closes this side: with a goodbye, or the socket alone.
    func closeOutput(saysGoodbye: Bool) async throws {
        guard !saysGoodbye else { return try await channel.close(mode: .output) }
        try await channel.eventLoop.flatSubmit { [channel] in
            let pipeline = channel.pipeline.syncOperations
            do {
                let context = try pipeline.context(handlerType: NIOSSLClientHandler.self)
                return context.close(mode: .output)
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
        }.get()
    }

    /// Closes the socket.
    func close() async {
        try? await channel.eventLoop.flatSubmit { [channel] in
            guard let context = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
            else {
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            return context.close(mode: .all)
        }.get()
    }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let state: StateBox

        init(_ state: StateBox) { self.state = state }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let byteCount = unwrapInboundIn(data).readableBytes
            state.value.withLock { $0.byteCount += byteCount }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { state.value.withLock { $0.hasGoodbye = true } }
        }

        func channelInactive(context: ChannelHandlerContext) { state.value.withLock { $0.hasGoodbye = true } }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }
}
