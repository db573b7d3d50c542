internal import NIOCore
internal import RPCCore

/// A handler that passes a channel's events to the `ServerConnection`. It decides only when to read.
final class ServerConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: ServerContext
    /// Whether the server stops, perhaps since before the connection was open.
    private var isDraining: Bool
    /// The connection; it exists from `channelActive` until the handler is removed.
    private var connection: ServerConnection?
    private var isReadWanted = false

    init(server: ServerContext, isDraining: Bool = false) {
        self.server = server
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
        connection = ServerConnection(context: context, server: server)
        if isDraining { connection?.drainBegins() }
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
        if case ConnectionEvent.drainBegins = event { isDraining = true }
        if connection?.handle(event) != true { context.fireUserInboundEventTriggered(event) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection?.closed()
        context.fireChannelInactive()
    }

    /// Closes the connection after a fatal read or write error: the peer is gone, or its bytes cannot be decoded.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection?.close(because: error)
    }
}
