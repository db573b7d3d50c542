internal import HTTPFraming
internal import NIOCore
internal import RPCCore
internal import RPCTransport

/// A handler that passes the bytes and events of a channel to the `HTTP2Connection`.
final class HTTP2ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: ServerContext
    private let rules: HTTPRules
    private var isDraining: Bool
    /// The connection; it exists from `channelActive` until the handler is removed.
    private var connection: HTTP2Connection?

    init(server: ServerContext, rules: HTTPRules, isDraining: Bool) {
        self.server = server
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
        connection = HTTP2Connection(context: context, server: server, rules: rules)
        if isDraining { connection?.drainBegins() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
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
        if case ConnectionEvent.drainBegins = event { isDraining = true }
        if connection?.handle(event) != true { context.fireUserInboundEventTriggered(event) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection?.closed()
        context.fireChannelInactive()
    }

    /// Closes the connection after an error of reading or writing: the peer is gone.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection?.close(because: error)
    }
}
