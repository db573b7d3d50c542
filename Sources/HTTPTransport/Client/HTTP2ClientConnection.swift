internal import HTTPCalls
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2
internal import RPCCore
internal import RPCTransport
internal import WireMessages

/// A handler for the client's side of one HTTP/2 connection that carries gRPC calls. It stands behind the HTTP/2 handler.
final class HTTP2ClientConnection: ChannelInboundHandler, WireConnection {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let server: ServerEndpoint
    private let software: String
    /// The credentials of all calls that have none of their own, or the reason why no call is made.
    private let authorization: Result<String?, RPCError>
    private let eventLoop: any EventLoop
    private var machine: GRPCClientStateMachine
    /// The owner, until the connection has ended.
    private var owner: (any WireConnectionOwner)?
    private var context: ChannelHandlerContext?
    private var isReading = false
    private var hasWritten = false
    /// Whether the HTTP/2 handler has ended the connection, because the server broke the protocol. It goes on reading.
    private var hasFailed = false
    /// The reason for the end of the connection, if one is known.
    private var cause: String?

    init(
        _ server: ServerEndpoint,
        _ options: RPCClientOptions,
        owner: any WireConnectionOwner,
        eventLoop: any EventLoop
    ) {
        self.server = server
        self.software = options.software
        authorization = Result { () throws(RPCError) in try options.authorization(for: server) }
        self.eventLoop = eventLoop
        self.machine = GRPCClientStateMachine(
            GRPCClientLimits(options),
            firstStreamID: StreamID(rawValue: options.firstStreamID)
        )
        self.owner = owner
    }

    // MARK: Calls

    func open(_ request: OutgoingRequest, remaining: TimeAmount?) throws(RPCError) -> CallOpening {
        let authorization = try authorization.get()
        var headers = GRPCRequestHeaders.headers(
            request.method,
            authority: server.authority,
            isSecure: server.isSecure,
            software: software,
            timeoutNanoseconds: remaining?.nanoseconds,
            indexing: .nonIndexable
        )
        if let authorization, request.metadata.values(ofAnyCase: "authorization").isEmpty {
            headers.add(name: "authorization", value: authorization, indexing: .neverIndexed)
        }
        try GRPCRequestHeaders.add(request.metadata, to: &headers)
        return send(headers, .prefixed(request.payload), request.kind)
    }

    func open(_ request: EncodedRequest) -> CallOpening {
        guard let head = request.head as? EncodedHead else { return .refuse }
        return send(head.headers, request.bytes, request.kind)
    }

    private func send(_ headers: HPACKHeaders, _ message: ByteBuffer, _ kind: RPCCore.Method.Kind) -> CallOpening {
        let opening = machine.openCall(kind)
        if case .send(let id) = opening {
            write(.headers(.init(headers: headers)), on: id)
            write(.data(.init(data: .byteBuffer(message), endStream: true)), on: id)
            widenWindow(of: id)
        }
        return opening
    }

    func grant(_ credit: StreamCredit, on id: StreamID) {
        machine.messagesTaken(credit.messages, byteCount: credit.byteCount, on: id)
        widenWindow(of: id)
    }

    func abandon(_ id: StreamID) {
        if machine.callAbandoned(id) { write(.rstStream(.cancel), on: id) }
    }

    func ping() {
        write(.ping(HTTP2PingData(withInteger: .random(in: .min ... .max)), ack: false), on: .root)
    }

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        // A reader that takes nothing holds the window of its stream. That of the connection is for the others too.
        widenWindow(by: Self.connectionWindow - Self.defaultWindow, of: .root)
        owner?.opened(self)
        flush()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isReading {
            isReading = true
            owner?.bytesReceived()
        }
        received(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        owner?.readEnded()
        flush()
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as NIOHTTP2WindowUpdatedEvent:
            if event.streamID == .rootStream, let size = event.inboundWindowSize { connectionWindowChanged(to: size) }
        case let event as StreamClosedEvent:
            // The frame of a reset was there before. What is open now was ended by the HTTP/2 handler.
            let id = StreamID(event.streamID)
            perform(
                machine.streamReset(event.reason?.networkCode ?? HTTP2ErrorCode.protocolError.networkCode, on: id),
                id
            )
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        machine.connectionClosed()
        owner?.closed(because: cause ?? "the server closed it")
        owner = nil
        context.fireChannelInactive()
    }

    /// Handles an error of the HTTP/2 handler. One that concerns a single stream ends that stream alone.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? SecurityError {
            owner?.refused(error)
            return close(because: "\(error)")
        }
        if hasFailed || !context.channel.isActive || error is IOError { close(because: "\(error)") }
    }

    // MARK: Frames

    private func received(_ frame: HTTP2Frame) {
        let id = StreamID(frame.streamID)
        switch frame.payload {
        case .headers(let headers):
            perform(machine.headersReceived(headers.headers, on: id, isEnd: headers.endStream), id)
        case .data(let data):
            received(data, on: id)
        case .rstStream(let code):
            perform(machine.streamReset(code.networkCode, on: id), id)
        case .settings(.settings(let settings)):
            let maximum = settings.last { $0.parameter == .maxConcurrentStreams }?.value
            let limit = machine.settingsReceived(maximumStreams: maximum)
            if let limit { owner?.received(.ready(maximumStreams: limit)) }
        case .goAway(let last, let code, let text):
            received(GoAwayMessage(lastStreamID: StreamID(last).rawValue, reason: Self.reason(code, text)))
        default:
            break
        }
    }

    private func received(_ data: HTTP2Frame.FramePayload.Data, on id: StreamID) {
        guard case .byteBuffer(let bytes) = data.data else { return }
        machine.dataReceived(bytes, paddingByteCount: data.paddingBytes.map { $0 + 1 } ?? 0, on: id)
        while perform(machine.nextMessage(on: id), id) {}
        if data.endStream { perform(machine.dataEnded(on: id), id) } else { widenWindow(of: id) }
    }

    private func received(_ message: GoAwayMessage) {
        let dropped = machine.goAwayReceived(lastStreamID: StreamID(rawValue: message.lastStreamID))
        owner?.received(.goAway(message, dropped: dropped))
    }

    /// Returns the reason of a GOAWAY, for people.
    private static func reason(_ code: HTTP2ErrorCode, _ text: ByteBuffer?) -> String {
        let text = text.map { String(buffer: $0) } ?? ""
        if code == .noError { return text.isEmpty ? "DRAINING" : text }
        return text.isEmpty ? "\(code)" : "\(code): \(text)"
    }

    /// Carries out what a frame asks for.
    ///
    /// - Returns: Whether it was a message, after which there may be another.
    @discardableResult
    private func perform(_ action: GRPCClientStateMachine.OnFrame, _ id: StreamID) -> Bool {
        switch action {
        case .deliver(let message):
            owner?.received(.message(id, message, isLast: false))
            return true
        case .answer(let message):
            owner?.received(.answer(id, message))
        case .end:
            owner?.received(.end(id))
        case .fail(let error, let isRunning):
            if isRunning { write(.rstStream(.cancel), on: id) }
            owner?.received(.failure(id, error))
        case .refused:
            owner?.received(.failure(id, .notStarted(server, reason: "REFUSED_STREAM")))
        case .ignore:
            break
        }
        return false
    }

    // MARK: Windows

    /// The window of a connection that nobody has changed (RFC 9113, section 6.9.2).
    private static let defaultWindow = 65_535
    private static let connectionWindow = 4 * 1024 * 1024

    private func widenWindow(of id: StreamID) {
        widenWindow(by: machine.widening(of: id), of: id)
    }

    private func connectionWindowChanged(to size: Int) {
        guard size <= Self.connectionWindow / 2 else { return }
        widenWindow(by: Self.connectionWindow - size, of: .root)
    }

    private func widenWindow(by byteCount: Int, of id: StreamID) {
        if byteCount > 0 { write(.windowUpdate(windowSizeIncrement: byteCount), on: id) }
    }

    // MARK: Writing

    private func write(_ payload: HTTP2Frame.FramePayload, on id: StreamID) {
        hasWritten = true
        context?.write(wrapOutboundOut(HTTP2Frame(streamID: HTTP2StreamID(id), payload: payload)), promise: nil)
    }

    func flush() {
        guard let context else { return }
        if hasWritten {
            hasWritten = false
            context.flush()
        }
        if machine.isFinished { context.close(promise: nil) }
    }

    func close(because cause: String?) {
        if self.cause == nil { self.cause = cause }
        context?.close(promise: nil)
    }

    var closeFuture: EventLoopFuture<Void> {
        context?.channel.closeFuture ?? eventLoop.makeSucceededVoidFuture()
    }
}

extension HTTP2ClientConnection: NIOHTTP2FrameDelegate {
    func wroteFrame(_ frame: HTTP2Frame) {
        // This side never says it by itself: it closes.
        if case .goAway = frame.payload { hasFailed = true }
    }
}

extension StreamID {
    fileprivate static let root: StreamID = 0
}

extension StreamID {
    fileprivate init(_ id: HTTP2StreamID) { self.init(rawValue: UInt32(Int(id))) }
}

extension HTTP2StreamID {
    fileprivate init(_ id: StreamID) { self.init(Int(id.rawValue)) }
}
