internal import Framing
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// A handler for the client's side of one connection that carries ttrpc's frames.
final class FramedConnection: ChannelInboundHandler, WireConnection {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var framing: ClientFraming
    /// The owner, until the connection has ended.
    private var owner: (any WireConnectionOwner)?
    private let heedsStreamLimit: Bool
    /// The reason why no call is made: the credentials may not be sent. Without them calls would be those of somebody else.
    private let refusal: RPCError?
    private let eventLoop: any EventLoop
    private var context: ChannelHandlerContext?
    /// The reason for the end of the connection, if one is known.
    private var cause: String?

    init(
        _ options: RPCClientOptions,
        to server: ServerEndpoint,
        owner: any WireConnectionOwner,
        eventLoop: any EventLoop
    ) {
        var authorization: String?
        do throws(RPCError) {
            authorization = try options.authorization(for: server)
            refusal = nil
        } catch {
            refusal = error
        }
        let hello = HelloMessage(
            version: 1,
            software: options.software,
            initialCredit: options.streamWindow,
            maximumFrameLength: UInt32(clamping: options.maximumFrameLength),
            maximumStreams: 0,
            authorization: authorization ?? ""
        )
        self.framing = ClientFraming(
            hello,
            firstStreamID: StreamID(rawValue: options.firstStreamID),
            maximumFrameLength: options.maximumFrameLength
        )
        self.owner = owner
        self.heedsStreamLimit = options.heedsStreamLimit
        self.eventLoop = eventLoop
        if !heedsStreamLimit { framing.limitCalls(to: .max) }
    }

    // MARK: Calls

    func open(_ request: OutgoingRequest, remaining: TimeAmount?) throws(RPCError) -> CallOpening {
        if let refusal { throw refusal }
        let opening = framing.openCall(request.kind)
        guard case .send(let id) = opening else { return opening }
        do throws(RPCError) {
            try request.writeFrame(on: id, remaining: remaining, to: &framing.outbound)
        } catch {
            framing.callNotSent(id)
            throw error
        }
        return opening
    }

    func open(_ request: EncodedRequest) -> CallOpening {
        guard refusal == nil else { return .refuse }
        let opening = framing.openCall(request.kind)
        guard case .send(let id) = opening else { return opening }
        let flags: FrameFlags = request.kind == .serverStreaming ? .remoteClosed : []
        framing.outbound.writeFrame(.request, on: id, flags: flags, data: request.bytes)
        return opening
    }

    func grant(_ credit: StreamCredit, on id: StreamID) {
        framing.outbound.writeCreditFrame(credit.messages, on: id)
    }

    func abandon(_ id: StreamID) { framing.abandon(id) }

    func ping() {
        let data = ByteBuffer(integer: UInt64.random(in: .min ... .max))
        framing.outbound.writeFrame(.ping, on: .connection, data: data)
    }

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        owner?.opened(self)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        owner?.bytesReceived()
        framing.receive(unwrapInboundIn(data))
        do throws(ConnectionError) {
            while let event = try framing.nextEvent() {
                if heedsStreamLimit, case .ready(let maximum) = event { framing.limitCalls(to: maximum) }
                owner?.received(event)
            }
        } catch {
            let refusal: SecurityError
            switch error {
            case .notThisProtocol(.tls):
                refusal = SecurityError("the server speaks TLS: name it as tls://host:port")
            case .notThisProtocol(.http):
                refusal = SecurityError("an HTTP server answers there; name the framed port, by default 6160")
            default:
                return close(because: "\(error)")
            }
            owner?.refused(refusal)
            close(because: refusal.cause)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        owner?.readEnded()
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        _ = framing.connectionClosed()
        owner?.closed(because: cause ?? "the server closed it")
        owner = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? SecurityError { owner?.refused(error) }
        close(because: "\(error)")
    }

    // MARK: Writing

    func flush() {
        guard let context else { return }
        if framing.outbound.readableBytes > 0 {
            context.writeAndFlush(wrapOutboundOut(framing.outbound), promise: nil)
            framing.outbound.clear()
        }
        if framing.isFinished { context.close(promise: nil) }
    }

    func close(because cause: String?) {
        if self.cause == nil { self.cause = cause }
        context?.close(promise: nil)
    }

    var closeFuture: EventLoopFuture<Void> {
        context?.channel.closeFuture ?? eventLoop.makeSucceededVoidFuture()
    }
}

extension ClientWire {
    /// ttrpc's frames, and our extensions of them.
    package static let framed = ClientWire(
        minimumKeepaliveInterval: Keepalive.minimumInterval,
        open: { channel, server, options, owner in
            let handler = FramedConnection(options, to: server, owner: owner, eventLoop: channel.eventLoop)
            try channel.pipeline.syncOperations.addHandler(handler)
        },
        encoder: { template in
            { payload in
                let envelope = RequestEnvelope(
                    service: template.method.service,
                    method: template.method.method,
                    payload: payload,
                    timeoutNanoseconds: TimeAmount(template.timeout).nanoseconds
                )
                return EncodedRequest(template.kind, bytes: envelope.encoded())
            }
        }
    )
}
