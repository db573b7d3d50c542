internal import Framing
package import NIOCore
package import RPCCore
package import WireMessages

/// A handler for the client's side of one connection: it sends calls, and tells its owner what the server answers.
///
/// It is used on the channel's event loop only. Nothing is sent before `flush`.
package final class FramedConnection: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private var framing: ClientFraming
    /// The owner, until the connection has ended.
    private var owner: (any ConnectionOwner)?
    private let heedsStreamLimit: Bool
    /// The reason why no call is made: the credentials may not be sent. Without them calls would be those of somebody else.
    private let refusal: RPCError?
    private let eventLoop: any EventLoop
    private var context: ChannelHandlerContext?
    /// The reason for the end of the connection, if one is known.
    private var cause: String?

    /// Lets a new channel carry calls to a server. It runs on the channel's event loop.
    static func open(
        _ channel: any Channel,
        to server: ServerEndpoint,
        _ options: RPCClientOptions,
        owner: any ConnectionOwner
    ) throws {
        let connection = FramedConnection(options, to: server, owner: owner, eventLoop: channel.eventLoop)
        try channel.pipeline.syncOperations.addHandler(connection)
    }

    private init(
        _ options: RPCClientOptions,
        to server: ServerEndpoint,
        owner: any ConnectionOwner,
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
            maximumFrameLength: UInt32(clamping: FrameDecoder.protocolMaximum),
            maximumStreams: 0,
            authorization: authorization ?? ""
        )
        self.framing = ClientFraming(hello, firstStreamID: StreamID(rawValue: options.firstStreamID))
        self.owner = owner
        self.heedsStreamLimit = options.heedsStreamLimit
        self.eventLoop = eventLoop
        if !heedsStreamLimit { framing.limitCalls(to: .max) }
    }

    // MARK: Calls

    /// Begins a call.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - remaining: The time until the caller's deadline; nil is no limit.
    /// - Returns: The call's stream, or the reason that it has none.
    /// - Throws: The reason that the request cannot be sent on any connection.
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

    /// Begins a call whose request is encoded.
    ///
    /// - Returns: The call's stream id, or nil if the connection takes no more calls.
    package func open(_ request: EncodedRequest) -> StreamID? {
        guard refusal == nil, case .send(let id) = framing.openCall(request.kind) else { return nil }
        let flags: FrameFlags = request.kind == .serverStreaming ? .remoteClosed : []
        framing.outbound.writeFrame(.request, on: id, flags: flags, data: request.bytes)
        return id
    }

    /// Lets the server send more messages of a stream.
    func grant(_ credit: UInt32, on id: StreamID) {
        framing.outbound.writeCreditFrame(credit, on: id)
    }

    /// Lets the open calls finish. Without any the connection is closed.
    func takeNoMoreCalls() { framing.takeNoMoreCalls() }

    /// Cancels a call; no more of its events follow.
    package func abandon(_ id: StreamID) { framing.abandon(id) }

    /// Asks the server for a sign of life.
    func ping() {
        let data = ByteBuffer(integer: UInt64.random(in: .min ... .max))
        framing.outbound.writeFrame(.ping, on: .connection, data: data)
    }

    // MARK: Channel events

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    package func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    package func channelActive(context: ChannelHandlerContext) {
        owner?.connected(self)
        context.fireChannelActive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
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
            case .foreignTLS:
                refusal = SecurityError("the server uses TLS: write its address as tls://host:port")
            case .foreignHTTP:
                refusal = SecurityError("this is an HTTP port: use the framed port, by default 6160")
            default:
                return close(because: "\(error)")
            }
            owner?.refused(refusal)
            close(because: refusal.cause)
        }
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        owner?.readEnded()
        context.fireChannelReadComplete()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        _ = framing.connectionClosed()
        owner?.closed(because: cause ?? "the server closed it")
        owner = nil
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? SecurityError { owner?.refused(error) }
        close(because: "\(error)")
    }

    // MARK: Writing

    /// Sends all that was written, and closes a connection that has no call and takes none.
    package func flush() {
        guard let context else { return }
        if framing.outbound.readableBytes > 0 {
            context.writeAndFlush(wrapOutboundOut(framing.outbound), promise: pongPromise())
            framing.outbound.clear()
        }
        if framing.isFinished { context.close(promise: nil) }
    }

    /// Makes a promise only while a Pong is to be sent: the next Ping is answered when that Pong was sent.
    private func pongPromise() -> EventLoopPromise<Void>? {
        guard framing.isPongUnsent else { return nil }
        let promise = eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess { [self] in framing.pongSent() }
        return promise
    }

    /// Closes the connection.
    ///
    /// - Parameter cause: The reason, for people; nil if the owner knows it.
    package func close(because cause: String?) {
        if self.cause == nil { self.cause = cause }
        context?.close(promise: nil)
    }

    /// Succeeds when the connection has ended.
    var closeFuture: EventLoopFuture<Void> {
        context?.channel.closeFuture ?? eventLoop.makeSucceededVoidFuture()
    }
}

/// The owner of a connection.
package protocol ConnectionOwner: AnyObject {
    /// The channel is connected. The server may not have accepted it yet.
    func connected(_ connection: FramedConnection)

    /// Bytes have arrived; their events follow.
    func bytesReceived()

    func received(_ event: ClientConnectionEvent)

    /// The events of a read have been told.
    func readEnded()

    /// The connection's protection has failed after its handshake. The end of the connection follows. A server of TLS 1.3
    /// refuses a client's certificate only then.
    func refused(_ error: SecurityError)

    /// The connection is gone, and with it all open calls.
    ///
    /// - Parameter cause: The reason, for people.
    func closed(because cause: String)
}

/// An event that a server's answers cause on a client's connection.
package enum ClientConnectionEvent: Sendable, Hashable {
    /// The server has accepted the connection, which the kernel alone does not show.
    ///
    /// `maximumStreams`: the number of calls that it allows to be open at once; 0 is no limit.
    case ready(maximumStreams: UInt32)
    /// The answer of a unary call, which is over.
    case answer(StreamID, ByteBuffer)
    /// A message of a stream; after the last one the call is over.
    case message(StreamID, ByteBuffer, isLast: Bool)
    /// The stream is over.
    case end(StreamID)
    /// The call failed: the server said so, or broke the protocol on it. It is over.
    case failure(StreamID, RPCError)
    /// The server takes no more calls on this connection. The dropped ones, which it never started, are over.
    case goAway(GoAwayMessage, dropped: [StreamID])
}

/// A request as it is sent. Programs that make very many calls encode it once.
///
/// It is a class, so that passing it on for each call counts one reference.
package final class EncodedRequest: Sendable {
    package let kind: RPCMethod.Kind
    /// The data of the Request frame.
    package let bytes: ByteBuffer

    package init(_ method: MethodPath, _ kind: RPCMethod.Kind, _ payload: ByteBuffer, timeout: Duration) {
        self.kind = kind
        let envelope = RequestEnvelope(
            service: method.service,
            method: method.method,
            payload: payload,
            timeoutNanoseconds: TimeAmount(timeout).nanoseconds
        )
        bytes = envelope.encoded()
    }
}
