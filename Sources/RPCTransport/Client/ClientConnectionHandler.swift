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
    var framing: ClientFraming
    var calls: [StreamID: ClientCall] = [:]
    var keepalive: Keepalive
    var keepaliveTimer: Scheduled<Void>?
    /// Whether the server has sent Hello, and so knows Ping.
    var isGreeted = false
    private var context: ChannelHandlerContext?
    /// The reason for the end of the connection, if one is known.
    private var cause: String?

    init(address: ServerAddress, core: ClientCore) {
        let options = core.options
        self.address = address
        self.core = core
        let hello = HelloMessage(
            version: 1,
            software: options.software,
            initialCredit: options.streamWindow,
            maximumFrameLength: UInt32(clamping: options.maximumFrameLength),
            maximumStreams: 0
        )
        self.framing = ClientFraming(
            hello,
            firstStreamID: StreamID(rawValue: options.firstStreamID),
            maximumFrameLength: options.maximumFrameLength
        )
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
        core.opened(self)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        keepalive.bytesReceived(now: context.eventLoop.now)
        if !hasAnswered {
            hasAnswered = true
            core.answered(self)
        }
        framing.receive(unwrapInboundIn(data))
        do throws(ConnectionError) {
            while let event = try framing.nextEvent() { received(event) }
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
        let open = framing.connectionClosed().compactMap { calls.removeValue(forKey: $0) }
        core.closed(self, calls: open, cause: cause ?? "the server closed it")
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close(because: "\(error)")
    }

    // MARK: Frames

    private func received(_ event: ClientConnectionEvent) {
        switch event {
        case .answer(let id, let data):
            guard let call = calls.removeValue(forKey: id) else { return }
            finish(call, with: data)
        case .message(let id, let data, let isLast):
            deliver(data, on: id)
            if isLast { endStream(id) }
        case .end(let id):
            endStream(id)
        case .failure(let id, let error):
            if let call = calls.removeValue(forKey: id) { core.failed(call, error) }
        case .hello(let hello):
            isGreeted = true
            framing.limitCalls(to: hello.maximumStreams)
            watchKeepalive()
        case .goAway(let message, let dropped):
            core.goAwayReceived(self, message, dropped: dropped.compactMap { calls.removeValue(forKey: $0) })
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

    // MARK: Writing

    /// Sends everything that was written in one turn of the loop with one write. Closes a connection that is finished.
    func flush() {
        guard let context else { return }
        if framing.outbound.readableBytes > 0 {
            context.writeAndFlush(wrapOutboundOut(framing.outbound), promise: nil)
            framing.outbound.clear()
        }
        if framing.isFinished { context.close(promise: nil) }
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
