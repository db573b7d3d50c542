internal import Glibc
package import NIOCore
internal import NIOPosix
package import RPCCore
internal import Synchronization

/// A client's socket that sends any bytes, and reads when it is told to.
package final class RawSocket: Sendable {
    package let channel: any Channel
    private let received: Received

    private init(_ channel: any Channel, _ received: Received) {
        self.channel = channel
        self.received = received
    }

    /// - Parameters:
    ///   - address: The server's.
    ///   - chunk: The bytes that one call of `read` takes; nil to read all that the server sends, as it comes.
    ///   - closesWithServer: Whether it closes its side as soon as the server has closed its own.
    /// - Returns: A connected socket.
    /// - Throws: If nobody listens there.
    package static func connect(
        to address: ServerAddress,
        readingOnly chunk: Int? = nil,
        closesWithServer: Bool = true
    ) async throws -> RawSocket {
        let received = Received()
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: chunk == nil)
            .channelOption(.allowRemoteHalfClosure, value: !closesWithServer)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(received))
                }
            }
        // A peer that does not read has little room for what it does not read.
        if let chunk {
            bootstrap =
                bootstrap
                .channelOption(.socketOption(.so_rcvbuf), value: 4096)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: chunk))
                .channelOption(.maxMessagesPerRead, value: 1)
        }
        switch address {
        case .tcp(let host, let port):
            return RawSocket(try await bootstrap.connect(host: host, port: port).get(), received)
        case .unix(let path):
            return RawSocket(try await bootstrap.connect(unixDomainSocketPath: path).get(), received)
        }
    }

    /// Sends text on a connection of its own.
    ///
    /// - Returns: All that the server sends until it closes the connection.
    /// - Throws: If nobody listens there.
    package static func exchange(_ text: String, with address: ServerAddress) async throws -> String {
        let socket = try await connect(to: address)
        socket.post(ByteBuffer(string: text))
        var reply = ByteBuffer()
        while let bytes = await socket.next() { reply.writeImmutableBuffer(bytes) }
        return String(buffer: reply)
    }

    /// Sends bytes, and returns when the kernel has them.
    package func send(_ bytes: ByteBuffer) async throws { try await channel.writeAndFlush(bytes) }

    /// Sends bytes when the kernel takes them. The server may have closed the connection meanwhile.
    package func post(_ bytes: ByteBuffer) { channel.writeAndFlush(bytes, promise: nil) }

    /// Returns the next bytes; nil when the server has closed its side.
    package func next() async -> ByteBuffer? { await received.next() }

    /// Reads once, for a socket that was connected with a chunk.
    package func read() { channel.read() }

    /// Reads from now on all that the server sends.
    package func startReading() async throws {
        try await channel.setOption(.autoRead, value: true).get()
        channel.read()
    }

    package func close() async throws { try await channel.close() }

    /// Ends this side of the connection only.
    package func closeOutput() async throws { try await channel.close(mode: .output) }

    /// Leaves at once: the other side sees a reset.
    package func reset() async throws {
        if let options = channel as? any SocketOptionProvider {
            try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try await channel.close()
    }

    /// Bytes on their way from the event loop to the test. The stream only wakes the test: the thread sanitizer at times
    /// does not see that a stream carries its elements from one thread to another.
    private final class Received: Sendable {
        private let waiting = Mutex(CircularBuffer<ByteBuffer>())
        private let waker: AsyncStream<Void>.Continuation
        private let wakes: AsyncStream<Void>

        init() { (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

        func put(_ bytes: ByteBuffer) {
            waiting.withLock { $0.append(bytes) }
            waker.yield()
        }

        func end() { waker.finish() }

        /// Nil once all was taken and no more comes.
        func next() async -> ByteBuffer? {
            var wakes = wakes.makeAsyncIterator()
            while true {
                if let bytes = waiting.withLock({ $0.popFirst() }) { return bytes }
                guard await wakes.next(isolation: #isolation) != nil else {
                    return waiting.withLock { $0.popFirst() }
                }
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

        func channelInactive(context: ChannelHandlerContext) { received.end() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
