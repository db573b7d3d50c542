import Framing
import NIOCore
import NIOPosix
import RPCCore
import Synchronization
import WireMessages

/// A client that writes whatever bytes a test wants and reads frames, with no rules of its own.
final class RawPeer {
    let channel: any Channel
    private let received: Received
    private var inbound = ByteBuffer()
    private var decoder = FrameDecoder()

    private init(_ channel: any Channel, _ received: Received) {
        self.channel = channel
        self.received = received
    }

    /// - Parameters:
    ///   - address: The server's.
    ///   - reads: Whether it reads what the server sends.
    ///   - source: The address that it connects from; nil leaves it to the system.
    ///   - closesWithServer: Whether it closes its side as soon as the server has closed its own.
    /// - Returns: A connected peer that has sent nothing.
    /// - Throws: If nobody listens there.
    static func connect(
        to address: ServerAddress,
        reads: Bool = true,
        from source: SocketAddress? = nil,
        closesWithServer: Bool = true
    ) async throws -> RawPeer {
        let received = Received()
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            .channelOption(.allowRemoteHalfClosure, value: !closesWithServer)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(received))
                }
            }
        if let source { bootstrap = bootstrap.bind(to: source) }
        // A peer that does not read has little room for what it does not read.
        if !reads {
            bootstrap =
                bootstrap
                .channelOption(.socketOption(.so_rcvbuf), value: 4096)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
                .channelOption(.maxMessagesPerRead, value: 1)
        }
        switch address {
        case .tcp(let host, let port):
            return RawPeer(try await bootstrap.connect(host: host, port: port).get(), received)
        case .unix(let path):
            return RawPeer(try await bootstrap.connect(unixDomainSocketPath: path).get(), received)
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
            guard let bytes = await received.next() else { return nil }
            inbound.discardReadBytes()
            inbound.writeImmutableBuffer(bytes)
        }
    }

    /// What the server sends until it has closed the connection, for a peer that speaks another protocol.
    func allText() async -> String {
        while let bytes = await received.next() { inbound.writeImmutableBuffer(bytes) }
        return String(buffer: inbound)
    }

    /// The next frame's status, for a Response that must carry one.
    func nextStatus() async throws -> RPCError? {
        try await nextFrame()?.status
    }

    /// Reads from now on what the server sends.
    func beginReading() async throws { try await channel.setOption(.autoRead, value: true).get() }

    func close() async throws {
        try await channel.close()
    }

    /// Ends this side of the connection only.
    func closeOutput() async throws {
        try await channel.close(mode: .output)
    }

    /// Bytes on their way from the event loop to the test. A stream only rings the bell: what it carries itself from one
    /// thread to another, the thread sanitizer at times does not see it carry.
    private final class Received: Sendable {
        private let waiting = Mutex(CircularBuffer<ByteBuffer>())
        private let rope: AsyncStream<Void>.Continuation
        private let bell: AsyncStream<Void>

        init() { (bell, rope) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

        func put(_ bytes: ByteBuffer) {
            waiting.withLock { $0.append(bytes) }
            rope.yield()
        }

        func end() { rope.finish() }

        /// Nil once all was taken and no more comes.
        func next() async -> ByteBuffer? {
            var rings = bell.makeAsyncIterator()
            while true {
                if let bytes = waiting.withLock({ $0.popFirst() }) { return bytes }
                guard await rings.next(isolation: #isolation) != nil else { return waiting.withLock { $0.popFirst() } }
            }
        }
    }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let received: Received

        init(_ received: Received) { self.received = received }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // A copy: SwiftNIO uses the buffer again as soon as nobody holds it, and the thread sanitizer does not see
            // how another thread let go of it.
            received.put(ByteBuffer(bytes: unwrapInboundIn(data).readableBytesView))
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { received.end() }
        }

        func channelInactive(context: ChannelHandlerContext) {
            received.end()
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
