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

    private let address: ServerAddress
    private let options: RPCClientOptions
    private var machine = ClientConnectionStateMachine()
    private var decoder: FrameDecoder
    private var inbound = ByteBuffer()
    private var outbound = ByteBuffer()
    private var calls: [StreamID: ClientCall] = [:]
    private var context: ChannelHandlerContext?
    private var isFlushScheduled = false

    init(address: ServerAddress, options: RPCClientOptions) {
        self.address = address
        self.options = options
        self.decoder = FrameDecoder(maximumDataLength: options.maximumFrameLength)
    }

    // MARK: Calls

    func send(_ call: ClientCall, through channel: ClientChannel) {
        guard call.isWanted else { return }
        let remaining = call.deadline.map { $0 - .now() }
        let envelope = call.request.envelope(remaining: remaining)
        guard envelope.readableBytes <= FrameDecoder.protocolMaximum else {
            let refusal = Refusal.frameTooLarge(
                byteCount: envelope.readableBytes,
                maximum: FrameDecoder.protocolMaximum
            )
            return call.finish(.failure(refusal.error))
        }
        guard context != nil, case .send(let id) = machine.openCall(call.request.kind) else {
            return call.finish(.failure(connectionLost))
        }
        guard call.opened(on: channel, as: id) else {
            _ = machine.callAbandoned(id)
            return
        }
        calls[id] = call
        outbound.writeFrame(
            .request,
            on: id,
            flags: call.request.kind == .serverStreaming ? .remoteClosed : [],
            data: envelope
        )
        scheduleFlush()
    }

    func grant(_ count: UInt32, on id: StreamID) {
        guard calls[id] != nil else { return }
        outbound.writeCreditFrame(count, on: id)
        scheduleFlush()
    }

    func abandon(_ id: StreamID) {
        calls[id] = nil
        guard machine.callAbandoned(id) == .sendCancel else { return }
        outbound.writeFrame(.cancel, on: id)
        scheduleFlush()
        closeIfFinished()
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
        flush()
        closeIfFinished()
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        onRetired?()
        for id in machine.connectionClosed() { calls.removeValue(forKey: id)?.finish(.failure(connectionLost)) }
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
        case .readGoAway:
            retire(data)
        case .sendPong:
            outbound.writeFrame(.pong, on: .connection, data: data)
        case .readHello, .ignore:
            // The server's limits are its own to hold us to; what goes over them comes back as a status.
            break
        }
    }

    /// The server is stopping: calls that it never started are told so, and may be sent elsewhere.
    private func retire(_ data: ByteBuffer) {
        onRetired?()
        let last = (try? GoAwayMessage(decoding: data, limit: .response))?.lastStreamID ?? StreamID.connection.rawValue
        for id in machine.goAwayReceived(lastStreamID: StreamID(rawValue: last)) {
            calls.removeValue(forKey: id)?.finish(.failure(Refusal.draining.error))
        }
    }

    private var connectionLost: RPCError {
        RPCError(
            .unavailable,
            reason: "CONNECTION_LOST",
            "the connection to \(address) was lost before the call ended",
            metadata: ["address": "\(address)"]
        )
    }

    private func closeIfFinished() {
        if machine.isFinished { context?.close(promise: nil) }
    }

    // MARK: Writing

    /// Calls that are made in one turn of the loop leave with one write.
    private func scheduleFlush() {
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
