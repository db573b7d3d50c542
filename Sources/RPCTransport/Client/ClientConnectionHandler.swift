internal import Framing
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// A handler for the client's side of one connection: it sends calls and gives the answers to them.
final class ClientConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let address: ServerAddress
    /// Whether anything was received from the server.
    private(set) var hasAnswered = false

    let core: ClientCore
    var machine: ClientConnectionStateMachine
    var calls: [StreamID: ClientCall] = [:]
    var outbound = ByteBuffer()
    var keepalive: Keepalive
    var keepaliveTimer: Scheduled<Void>?
    /// Whether the server has sent Hello, and so knows Ping.
    var isGreeted = false
    private var decoder: FrameDecoder
    private var inbound = ByteBuffer()
    private var context: ChannelHandlerContext?
    /// The reason for the end of the connection, if one is known.
    private var cause: String?

    init(address: ServerAddress, core: ClientCore) {
        let options = core.options
        self.address = address
        self.core = core
        self.machine = ClientConnectionStateMachine(firstStreamID: StreamID(rawValue: options.firstStreamID))
        self.decoder = FrameDecoder(maximumDataLength: options.maximumFrameLength)
        self.keepalive = Keepalive(
            interval: options.keepaliveInterval,
            timeout: options.keepaliveTimeout,
            now: core.eventLoop.now
        )
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
            software: core.options.software,
            initialCredit: core.options.streamWindow,
            maximumFrameLength: UInt32(clamping: core.options.maximumFrameLength),
            maximumStreams: 0
        )
        outbound.writeFrame(.hello, on: .connection, data: hello.encoded())
        core.opened(self)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        keepalive.bytesReceived(now: context.eventLoop.now)
        if !hasAnswered {
            hasAnswered = true
            core.answered(self)
        }
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
                case .oversized(let header, _):
                    let action = machine.oversizedFrameReceived(header, maximum: decoder.maximumDataLength)
                    carryOut(action, ByteBuffer())
                }
            }
        } catch {
            close(because: "\(error)")
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        core.settle()
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        keepaliveTimer?.cancel()
        keepaliveTimer = nil
        let open = machine.connectionClosed().compactMap { calls.removeValue(forKey: $0) }
        core.closed(self, calls: open, cause: cause ?? "the server closed it")
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close(because: "\(error)")
    }

    // MARK: Frames

    private func carryOut(_ action: ClientConnectionStateMachine.OnFrame, _ data: ByteBuffer) {
        switch action {
        case .finishCall(let id):
            guard let call = calls.removeValue(forKey: id) else { return }
            finish(call, with: data)
        case .deliver(let id, let isLast):
            deliver(data, on: id)
            if isLast { endStream(id) }
        case .endStream(let id):
            endStream(id)
        case .failCall(let id, let error):
            if let call = calls.removeValue(forKey: id) { core.failed(call, error) }
        case .readHello:
            guard let hello = try? HelloMessage(decoding: data, limit: .response) else { return }
            isGreeted = true
            machine.helloReceived(maximumStreams: hello.maximumStreams)
            watchKeepalive()
        case .readGoAway:
            goAwayReceived(data)
        case .sendPong:
            outbound.writeFrame(.pong, on: .connection, data: data)
        case .ignore:
            break
        }
    }

    private func deliver(_ message: ByteBuffer, on id: StreamID) {
        guard let call = calls[id], !call.deliver(message) else { return }
        core.abandon(call, .readerTooSlow(maximum: core.options.maximumWaitingBytes))
    }

    private func endStream(_ id: StreamID) {
        if let call = calls.removeValue(forKey: id) { core.succeeded(call) }
    }

    /// Finishes a call with its Response.
    private func finish(_ call: ClientCall, with data: ByteBuffer) {
        do {
            let response = try ResponseEnvelope(decoding: data, limit: .response)
            if let error = response.status { return core.failed(call, error) }
            if call.request.kind == .unary { _ = call.deliver(response.payload) }
            core.succeeded(call)
        } catch {
            core.failed(call, RPCError(.internalError, "the server's answer cannot be read: \(error)"))
        }
    }

    /// Handles a GoAway: the server is stopping, or ends this connection.
    private func goAwayReceived(_ data: ByteBuffer) {
        let message =
            (try? GoAwayMessage(decoding: data, limit: .response))
            ?? GoAwayMessage(lastStreamID: StreamID.connection.rawValue, reason: "UNREADABLE")
        let dropped = machine.goAwayReceived(lastStreamID: StreamID(rawValue: message.lastStreamID))
        core.goAwayReceived(self, message, dropped: dropped.compactMap { calls.removeValue(forKey: $0) })
    }

    // MARK: Writing

    /// Sends everything that was written in one turn of the loop with one write. Closes a connection that is finished.
    func flush() {
        guard let context else { return }
        if outbound.readableBytes > 0 {
            context.writeAndFlush(wrapOutboundOut(outbound), promise: nil)
            outbound.clear()
        }
        if machine.isFinished { context.close(promise: nil) }
    }

    func close() {
        context?.close(promise: nil)
    }

    func close(because cause: String) {
        if self.cause == nil { self.cause = cause }
        close()
    }

    /// Succeeds when the connection has ended.
    var closeFuture: EventLoopFuture<Void> {
        context?.channel.closeFuture ?? core.eventLoop.makeSucceededVoidFuture()
    }
}
