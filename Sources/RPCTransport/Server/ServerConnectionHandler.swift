internal import Framing
internal import Logging
internal import NIOCore

/// Translates a channel's events for the `ServerConnection` behind it. It decides nothing but when to read.
final class ServerConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Asks the connection to finish its calls and close. Fired into the pipeline when the server stops.
    struct Drain: Sendable {}

    private let methods: MethodTable
    private let configuration: ServerConfiguration
    private let logger: Logger
    /// There from `channelActive` on, until the handler is removed.
    private var connection: ServerConnection?
    private var isReadWanted = false

    init(methods: MethodTable, configuration: ServerConfiguration, logger: Logger) {
        self.methods = methods
        self.configuration = configuration
        self.logger = logger
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
        connection = ServerConnection(context: context, methods: methods, configuration: configuration, logger: logger)
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

    /// A peer that reads nothing is not read from: what it asks for could not be answered.
    func read(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            context.read()
        } else {
            isReadWanted = true
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        connection?.writabilityChanged()
        if isReadWanted, context.channel.isWritable {
            isReadWanted = false
            context.read()
        }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: connection?.inputClosed()
        case is Drain: connection?.drain()
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
