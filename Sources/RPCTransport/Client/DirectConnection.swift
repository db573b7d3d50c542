internal import Framing
package import NIOCore
internal import NIOPosix
package import RPCCore
internal import WireMessages

/// The receiver of a `DirectConnection`'s events, on its event loop.
package protocol DirectConnectionOwner: AnyObject {
    func received(_ event: DirectConnection.Event)
}

/// One connection for programs that make very many calls and account for each themselves. Requests are sent as encoded
/// bytes, and answers are passed on as they are in their frame, without a task, a retry or a deadline.
///
/// It is used on one event loop only.
package final class DirectConnection: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    /// An event of a connection.
    package enum Event {
        /// The server has sent Hello: it has accepted the connection, which the kernel alone does not show.
        case greeted
        /// The Response of a call: the bytes of its envelope. The call is over.
        case answer(StreamID, ByteBuffer)
        /// A message of a stream; after the last one the call is over.
        case message(StreamID, ByteBuffer, isLast: Bool)
        /// The stream is over.
        case end(StreamID)
        /// The server broke the protocol on this call, which is over.
        case failure(StreamID, RPCError)
        /// The server takes no more calls here. Those that it never started are over.
        case retired(dropped: [StreamID])
        /// The connection is gone, and with it these calls.
        case closed(open: [StreamID])
    }

    private let software: String
    private weak var owner: (any DirectConnectionOwner)?
    private var machine = ClientConnectionStateMachine()
    private var decoder = FrameDecoder()
    private var inbound = ByteBuffer()
    private var outbound = ByteBuffer()
    private var context: ChannelHandlerContext?
    private var isReading = false
    private var isFlushScheduled = false

    private init(software: String, owner: any DirectConnectionOwner) {
        self.software = software
        self.owner = owner
        // A load test also measures how a server refuses calls over its limit, so no call waits here.
        machine.helloReceived(maximumStreams: .max)
    }

    /// Connects and sends Hello. Must be called on `eventLoop`.
    ///
    /// - Parameters:
    ///   - address: The server's address.
    ///   - eventLoop: The event loop of the connection.
    ///   - software: The software name in the Hello.
    ///   - timeout: The time that the server may take to accept.
    ///   - owner: The receiver of events; held weakly.
    ///   - completion: Called on `eventLoop` with the connection, or with the error.
    package static func open(
        _ address: ServerAddress,
        on eventLoop: any EventLoop,
        software: String,
        timeout: Duration,
        owner: any DirectConnectionOwner,
        completion: @escaping (Result<DirectConnection, any Error>) -> Void
    ) {
        let owner = NIOLoopBound(owner, eventLoop: eventLoop)
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(timeout))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = DirectConnection(software: software, owner: owner.value)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
        connect(bootstrap, to: address).assumeIsolated().whenComplete { result in
            completion(
                Result { try result.get().pipeline.syncOperations.handler(type: DirectConnection.self) }
            )
        }
    }

    private static func connect(_ bootstrap: ClientBootstrap, to address: ServerAddress) -> EventLoopFuture<any Channel>
    {
        switch address {
        case .tcp(let host, let port):
            let bootstrap = bootstrap.channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // Resolving a numeric address thousands of times would take a thread each time.
            guard let number = try? SocketAddress(ipAddress: host, port: port) else {
                return bootstrap.connect(host: host, port: port)
            }
            return bootstrap.connect(to: number)
        case .unix(let path):
            return bootstrap.connect(unixDomainSocketPath: path)
        }
    }

    // MARK: Calls

    /// Sends a call. All calls that are made in one turn of the event loop leave with one write.
    ///
    /// - Parameters:
    ///   - kind: Whether the answer is read as a stream.
    ///   - envelope: The encoded `RequestEnvelope`.
    /// - Returns: The call's stream id, or nil if the connection takes no more calls.
    package func call(_ kind: RPCCore.Method.Kind, _ envelope: ByteBuffer) -> StreamID? {
        guard case .send(let id) = machine.openCall(kind) else { return nil }
        outbound.writeFrame(.request, on: id, flags: kind == .serverStreaming ? .remoteClosed : [], data: envelope)
        scheduleFlush()
        return id
    }

    /// Cancels a call; no more of its events follow.
    package func abandon(_ id: StreamID) {
        guard machine.callAbandoned(id) == .sendCancel else { return }
        outbound.writeFrame(.cancel, on: id)
        scheduleFlush()
    }

    package func close() {
        context?.close(promise: nil)
    }

    // MARK: Channel events

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    package func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    package func channelActive(context: ChannelHandlerContext) {
        // No credit limit: a load test reads everything at once.
        let hello = HelloMessage(version: 1, software: software)
        outbound.writeFrame(.hello, on: .connection, data: hello.encoded())
        flush()
        context.fireChannelActive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        if inbound.readableBytes == 0 {
            inbound = unwrapInboundIn(data)
        } else {
            inbound.discardReadBytes()
            inbound.writeImmutableBuffer(unwrapInboundIn(data))
        }
        do throws(ConnectionError) {
            while let output = try decoder.next(from: &inbound) {
                switch output {
                case .frame(let frame):
                    carryOut(machine.frameReceived(frame), frame.data)
                case .oversized(let header, _):
                    let action = machine.oversizedFrameReceived(header, maximum: decoder.maximumDataLength)
                    carryOut(action, ByteBuffer())
                }
            }
        } catch {
            context.close(promise: nil)
        }
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        flush()
        if machine.isFinished { context.close(promise: nil) }
        context.fireChannelReadComplete()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        owner?.received(.closed(open: machine.connectionClosed()))
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func carryOut(_ action: ClientConnectionStateMachine.OnFrame, _ data: ByteBuffer) {
        switch action {
        case .finishCall(let id):
            owner?.received(.answer(id, data))
        case .deliver(let id, let isLast):
            owner?.received(.message(id, data, isLast: isLast))
        case .endStream(let id):
            owner?.received(.end(id))
        case .failCall(let id, let error):
            owner?.received(.failure(id, error))
        case .readGoAway:
            let last = (try? GoAwayMessage(decoding: data, limit: .response))?.lastStreamID
            let dropped = machine.goAwayReceived(lastStreamID: last.map { StreamID(rawValue: $0) } ?? .connection)
            owner?.received(.retired(dropped: dropped))
        case .sendPong:
            outbound.writeFrame(.pong, on: .connection, data: data)
            scheduleFlush()
        case .readHello:
            owner?.received(.greeted)
        case .ignore:
            break
        }
    }

    // MARK: Writing

    private func scheduleFlush() {
        // The end of a read flushes anyway.
        guard !isReading, !isFlushScheduled, let context else { return }
        isFlushScheduled = true
        context.eventLoop.assumeIsolated().execute { self.flush() }
    }

    private func flush() {
        isFlushScheduled = false
        guard outbound.readableBytes > 0, let context else { return }
        context.writeAndFlush(wrapOutboundOut(outbound), promise: nil)
        outbound.clear()
    }
}
