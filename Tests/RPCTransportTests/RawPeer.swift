import Framing
import NIOCore
import NIOPosix
import RPCCore
import WireMessages

/// A client that writes whatever bytes a test wants and reads frames, with no rules of its own.
final class RawPeer {
    let channel: any Channel
    private var received: AsyncStream<ByteBuffer>.AsyncIterator
    private var inbound = ByteBuffer()
    private var decoder = FrameDecoder()

    private init(_ channel: any Channel, _ received: AsyncStream<ByteBuffer>) {
        self.channel = channel
        self.received = received.makeAsyncIterator()
    }

    static func connect(to address: ServerAddress, reads: Bool = true) async throws -> RawPeer {
        let (stream, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(continuation))
                }
            }
        // A peer that does not read has little room for what it does not read.
        if !reads { bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: 4096) }
        switch address {
        case .tcp(let host, let port):
            return RawPeer(try await bootstrap.connect(host: host, port: port).get(), stream)
        case .unix(let path):
            return RawPeer(try await bootstrap.connect(unixDomainSocketPath: path).get(), stream)
        }
    }

    func send(_ bytes: ByteBuffer) async throws {
        try await channel.writeAndFlush(bytes)
    }

    func send(
        _ type: FrameType,
        on id: StreamID,
        flags: FrameFlags = [],
        _ data: ByteBuffer = ByteBuffer()
    ) async throws {
        var bytes = ByteBuffer()
        bytes.writeFrame(type, on: id, flags: flags, data: data)
        try await send(bytes)
    }

    func call(
        _ method: String,
        on id: StreamID,
        flags: FrameFlags = [],
        payload: ByteBuffer = ByteBuffer(),
        timeoutNanoseconds: Int64 = 0,
        service: String = TestService.name
    ) async throws {
        let request = RequestEnvelope(
            service: service,
            method: method,
            payload: payload,
            timeoutNanoseconds: timeoutNanoseconds,
            metadata: Metadata()
        )
        try await send(.request, on: id, flags: flags, request.encoded())
    }

    /// The next frame, or nil when the server has closed the connection.
    func nextFrame() async throws -> Frame? {
        while true {
            if case .frame(let frame)? = try decoder.next(from: &inbound) { return frame }
            guard let bytes = await received.next(isolation: #isolation) else { return nil }
            inbound.discardReadBytes()
            inbound.writeImmutableBuffer(bytes)
        }
    }

    /// The next frame's status, for a Response that must carry one.
    func nextStatus() async throws -> RPCError? {
        try await nextFrame()?.status
    }

    func close() async throws {
        try await channel.close()
    }

    /// Ends this side of the connection only.
    func closeOutput() async throws {
        try await channel.close(mode: .output)
    }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let continuation: AsyncStream<ByteBuffer>.Continuation

        init(_ continuation: AsyncStream<ByteBuffer>.Continuation) { self.continuation = continuation }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // A copy: SwiftNIO uses the buffer again as soon as nobody holds it, and the thread sanitizer does not see
            // how another thread let go of it.
            continuation.yield(ByteBuffer(bytes: unwrapInboundIn(data).readableBytesView))
        }

        func channelInactive(context: ChannelHandlerContext) {
            continuation.finish()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}

extension Frame {
    /// The status of a Response; nil if it carries none, or is another frame.
    var status: RPCError? {
        get throws {
            guard header.type == .response else { return nil }
            return try ResponseEnvelope(decoding: data, limit: .response).status
        }
    }
}
