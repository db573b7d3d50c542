internal import HTTPCalls
internal import NIOCore
internal import NIOHTTP2
internal import RPCCore
internal import RPCTransport

/// A handler that passes the frames and events of a channel's HTTP/2 handler to the `HTTP2Connection`.
final class HTTP2ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let server: ServerContext
    private let frames: SentFrames
    private let raw: RawFrames
    private let rules: HTTPRules
    private var isDraining: Bool
    /// The connection; it exists from `channelActive` until the handler is removed.
    private var connection: HTTP2Connection?

    init(server: ServerContext, frames: SentFrames, raw: RawFrames, rules: HTTPRules, isDraining: Bool) {
        self.server = server
        self.frames = frames
        self.raw = raw
        self.rules = rules
        self.isDraining = isDraining
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { open(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        open(context)
        context.fireChannelActive()
    }

    private func open(_ context: ChannelHandlerContext) {
        guard connection == nil else { return }
        connection = HTTP2Connection(context: context, server: server, raw: raw, rules: rules)
        frames.connection = connection
        raw.connection = connection
        if isDraining { connection?.drainBegins() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        frames.connection = nil
        raw.connection = nil
        connection = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection?.received(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        connection?.turnEnded()
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, let connection { connection.calls.scheduleTurn(of: connection) }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        // The most frequent first: a cast that fails takes as long as handling the event.
        case let event as NIOHTTP2WindowUpdatedEvent: connection?.windowChanged(event)
        case let event as StreamClosedEvent: connection?.streamClosed(event)
        // It comes after the headers, which say more.
        case is NIOHTTP2StreamCreatedEvent: break
        default:
            if case ConnectionEvent.drainBegins = event { isDraining = true }
            if connection?.handle(event) != true { context.fireUserInboundEventTriggered(event) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection?.closed()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection?.caught(error)
    }
}

/// The delegate of a channel's HTTP/2 handler, which tells the connection of the frames that are sent.
final class SentFrames: NIOHTTP2FrameDelegate {
    weak var connection: HTTP2Connection?

    func wroteFrame(_ frame: HTTP2Frame) { connection?.sent(frame) }
}
