internal import Framing
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The client's end of one connection, on its event loop: calls out, answers back to their calls.
final class ClientConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Called when the connection takes no more calls.
    var onRetired: (() -> Void)?
    /// Called when that is because the server said so.
    var onGoAway: ((ServerGoAway) -> Void)?

    let address: ServerAddress
    let options: RPCClientOptions
    var machine: ClientConnectionStateMachine
    var calls: [StreamID: ClientCall] = [:]
    /// In the order in which they came, each with the handle that it came through.
    var waiting = CircularBuffer<(call: ClientCall, channel: ClientChannel)>()
    var outbound = ByteBuffer()
    private(set) var context: ChannelHandlerContext?
    private var decoder: FrameDecoder
    private var inbound = ByteBuffer()
    private var isFlushScheduled = false
    /// While calls are open.
    private var keepalive: Keepalive?

    init(address: ServerAddress, options: RPCClientOptions) {
        self.address = address
        self.options = options
        self.machine = ClientConnectionStateMachine(maximumWaiting: options.maximumWaitingCalls)
        self.decoder = FrameDecoder(maximumDataLength: options.maximumFrameLength)
    }

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        let hello = HelloMessage(
            version: 1,
            software: options.software,
            initialCredit: options.streamWindow,
            maximumFrameLength: UInt32(clamping: options.maximumFrameLength),
            maximumStreams: 0
        )
        outbound.writeFrame(.hello, on: .connection, data: hello.encoded())
        scheduleFlush()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        keepalive?.bytesReceived(now: context.eventLoop.now)
        if inbound.readableBytes == 0 {
            inbound = bytes
        } else {
            inbound.discardReadBytes()
            inbound.writeImmutableBuffer(bytes)
        }
        do throws(ConnectionError) {
            while let output = try decoder.next(from: &inbound) {
                switch output {
                case .frame(let frame):
                    carryOut(machine.frameReceived(frame), frame.data)
                case .oversized(let header):
                    let action = machine.oversizedFrameReceived(header, maximum: decoder.maximumDataLength)
                    carryOut(action, ByteBuffer())
                }
            }
        } catch {
            context.close(promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        sendWaitingCalls()
        flush()
        closeIfFinished()
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        onRetired?()
        keepalive = nil
        for id in machine.connectionClosed() { calls.removeValue(forKey: id)?.finish(.failure(connectionLost)) }
        failWaitingCalls(neverSent)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    // MARK: Frames

    private func carryOut(_ action: ClientConnectionStateMachine.OnFrame, _ data: ByteBuffer) {
        switch action {
        case .finishCall(let id):
            calls.removeValue(forKey: id)?.receivedResponse(data)
        case .deliver(let id, let isLast):
            calls[id]?.deliver(data)
            if isLast { calls.removeValue(forKey: id)?.finish(.success(())) }
        case .endStream(let id):
            calls.removeValue(forKey: id)?.finish(.success(()))
        case .failCall(let id, let error):
            calls.removeValue(forKey: id)?.finish(.failure(error))
        case .readHello:
            guard let hello = try? HelloMessage(decoding: data, limit: .response) else { break }
            machine.helloReceived(maximumStreams: hello.maximumStreams)
        case .readGoAway:
            retire(ServerGoAway(data))
        case .sendPong:
            outbound.writeFrame(.pong, on: .connection, data: data)
        case .ignore:
            break
        }
    }

    /// The server takes no more calls here: those that it never began are told so, and may be sent elsewhere.
    private func retire(_ goAway: ServerGoAway) {
        onGoAway?(goAway)
        onRetired?()
        for id in machine.goAwayReceived(lastStreamID: StreamID(rawValue: goAway.lastStreamID)) {
            calls.removeValue(forKey: id)?.fail(unseen: Refusal.draining.error)
        }
        failWaitingCalls(Refusal.draining.error)
    }

    func closeIfFinished() {
        if machine.isFinished { context?.close(promise: nil) }
    }

    // MARK: Time

    /// While an answer is awaited, a silent server is asked for a sign of life.
    func watchServer() {
        guard keepalive == nil, let context else { return }
        keepalive = Keepalive(
            interval: options.keepaliveInterval,
            timeout: options.keepaliveTimeout,
            now: context.eventLoop.now
        )
        armKeepalive(context)
    }

    private func armKeepalive(_ context: ChannelHandlerContext) {
        guard let time = keepalive?.nextCheck else { return }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(deadline: time) { handler.value.checkServer() }
    }

    private func checkServer() {
        guard let context, machine.hasOpenCalls else {
            keepalive = nil
            return
        }
        switch keepalive?.check(now: context.eventLoop.now) {
        case .close: return context.close(promise: nil)
        case .sendPing: ping()
        case .nothing, nil: break
        }
        armKeepalive(context)
    }

    private func ping() {
        outbound.writeFrame(.ping, on: .connection, data: ByteBuffer(repeating: 0, count: 8))
        scheduleFlush()
    }

    // MARK: Writing

    /// Calls that are made in one turn of the loop leave with one write.
    func scheduleFlush() {
        guard !isFlushScheduled, let context else { return }
        isFlushScheduled = true
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { handler.value.flush() }
    }

    private func flush() {
        isFlushScheduled = false
        guard outbound.readableBytes > 0, let context else { return }
        context.writeAndFlush(wrapOutboundOut(outbound), promise: nil)
        outbound.clear()
    }
}

extension ClientCall {
    /// The server's one and final word on the call.
    fileprivate func receivedResponse(_ data: ByteBuffer) {
        do {
            let response = try ResponseEnvelope(decoding: data, limit: .response)
            if let error = response.status { return finish(.failure(error)) }
            if request.kind == .unary { deliver(response.payload) }
            finish(.success(()))
        } catch {
            finish(.failure(RPCError(.internalError, "the server's answer cannot be read: \(error)")))
        }
    }
}
