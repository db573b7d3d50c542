internal import Framing
package import NIOCore
internal import NIOPosix
package import RPCCore
internal import WireMessages

/// The receiver of a `DirectConnection`'s events, on its event loop.
package protocol DirectConnectionOwner: AnyObject {
    func received(_ event: ClientConnectionEvent)

    /// The connection is gone, and with it all open calls.
    func closed()
}

/// One connection for programs that make very many calls and account for each themselves. Requests are sent as encoded
/// bytes, and answers are passed on as they are in their frame, without a task, a retry or a deadline.
///
/// It is used on one event loop only.
package final class DirectConnection: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private weak var owner: (any DirectConnectionOwner)?
    private var framing: ClientFraming
    private var context: ChannelHandlerContext?
    private var isReading = false
    private var isFlushScheduled = false

    private init(software: String, owner: any DirectConnectionOwner) {
        self.owner = owner
        // No credit limit: a load test reads everything at once.
        framing = ClientFraming(HelloMessage(version: 1, software: software))
        // A load test also measures how a server refuses calls over its limit, so no call waits here.
        framing.limitCalls(to: .max)
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
        bootstrap.connect(to: address).assumeIsolated().whenComplete { result in
            completion(
                Result { try result.get().pipeline.syncOperations.handler(type: DirectConnection.self) }
            )
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
        guard case .send(let id) = framing.openCall(kind) else { return nil }
        let flags: FrameFlags = kind == .serverStreaming ? .remoteClosed : []
        framing.outbound.writeFrame(.request, on: id, flags: flags, data: envelope)
        scheduleFlush()
        return id
    }

    /// Cancels a call; no more of its events follow.
    package func abandon(_ id: StreamID) {
        framing.abandon(id)
        scheduleFlush()
    }

    package func close() {
        context?.close(promise: nil)
    }

    // MARK: Channel events

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    package func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    package func channelActive(context: ChannelHandlerContext) {
        flush()
        context.fireChannelActive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        framing.receive(unwrapInboundIn(data))
        do throws(ConnectionError) {
            while let event = try framing.nextEvent() { owner?.received(event) }
        } catch {
            context.close(promise: nil)
        }
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        flush()
        if framing.isFinished { context.close(promise: nil) }
        context.fireChannelReadComplete()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        _ = framing.connectionClosed()
        owner?.closed()
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
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
        guard framing.outbound.readableBytes > 0, let context else { return }
        context.writeAndFlush(wrapOutboundOut(framing.outbound), promise: nil)
        framing.outbound.clear()
    }
}
