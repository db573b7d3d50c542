internal import Framing
internal import NIOCore

/// Translates a channel's events for the `ServerConnection` behind it. It decides nothing but when to read.
final class ServerConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Asks the connection to finish its calls and close. Fired into the pipeline when the server stops.
    struct Drain: Sendable {}

    /// Tells the connection that it holds the most while all together hold too much.
    struct BudgetExceeded: Sendable {}

    private let server: ServerContext
    /// There from `channelActive` on, until the handler is removed.
    private var connection: ServerConnection?
    private var isReadWanted = false

    init(server: ServerContext) {
        self.server = server
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
        connection = ServerConnection(context: context, server: server)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        connection = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection?.received(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        connection?.readCompleted()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if connection?.isReading ?? true {
            context.read()
        } else {
            isReadWanted = true
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        connection?.writabilityChanged()
        if isReadWanted, connection?.isReading ?? true {
            isReadWanted = false
            context.read()
        }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: connection?.inputClosed()
        case is Drain: connection?.drain()
        case is BudgetExceeded: connection?.close(because: ConnectionError.memoryLimit)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection?.closed()
        context.fireChannelInactive()
    }

    /// A fatal read or write error: the peer is gone or cannot be understood any more.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection?.close(because: error)
    }
}
