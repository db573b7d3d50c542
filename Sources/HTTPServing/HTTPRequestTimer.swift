internal import NIOCore
internal import NIOHTTP1
internal import RPCTransport

/// A handler that closes a connection whose request does not arrive in time, and tells `HTTPConnections` whether the
/// connection waits for a request or for its answer.
///
/// It stands before the parser, behind a protection: the time of the first request begins with the connection, that of a further
/// one with its first bytes.
final class HTTPRequestTimer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connections: HTTPConnections
    private let timeout: TimeAmount
    private var timer: Scheduled<Void>?
    private var requestCount = 0
    /// It may be ahead of the requests: some are answered before their end.
    private var answerCount = 0

    init(_ connections: HTTPConnections, timeout: TimeAmount) {
        self.connections = connections
        self.timeout = timeout
    }

    func handlerAdded(context: ChannelHandlerContext) { startTimer(context) }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if timer == nil, !isAnswering { startTimer(context) }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ConnectionDisplaced { context.closeAtOnce() } else { context.fireUserInboundEventTriggered(event) }
    }

    private var isAnswering: Bool { requestCount > answerCount }

    private func startTimer(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: timeout) { bound.value.closeAtOnce() }
    }

    /// Notes the end of a request.
    fileprivate func requestEnded(_ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        requestCount += 1
        connections.noteProgress(of: context.channel, isAnswering: isAnswering)
    }

    /// Notes the end of an answer.
    fileprivate func answered(_ context: ChannelHandlerContext) {
        answerCount += 1
        connections.noteProgress(of: context.channel, isAnswering: isAnswering)
    }
}

/// An event that closes a connection to make room for another.
struct ConnectionDisplaced: Sendable {}

/// A handler behind the parser that reports the ends of requests and answers to the timer.
final class HTTPRequestObserver: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let timer: HTTPRequestTimer

    init(_ timer: HTTPRequestTimer) { self.timer = timer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { timer.requestEnded(context) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { timer.answered(context) }
        context.write(data, promise: promise)
    }
}
