internal import HTTPFraming
internal import NIOCore
internal import NIOHTTP1
internal import RPCCore
internal import RPCTransport

/// A handler that passes the parts of requests and the events of a channel to the `HTTP1Connection`. It decides only when
/// to read.
final class HTTP1ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: ServerContext
    private let rules: HTTPRules
    private let raw: RawBytes
    private let decoder: HTTP1RequestDecoder
    private let isDraining: Bool
    /// The connection; it exists until the handler is removed.
    private var connection: HTTP1Connection?
    private var isReadWanted = false

    init(
        server: ServerContext,
        rules: HTTPRules,
        raw: RawBytes,
        decoder: HTTP1RequestDecoder,
        isDraining: Bool
    ) {
        self.server = server
        self.rules = rules
        self.raw = raw
        self.decoder = decoder
        self.isDraining = isDraining
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let connection = HTTP1Connection(context: context, server: server, raw: raw, rules: rules)
        self.connection = connection
        raw.connection = connection
        if isDraining { connection.drainBegins() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        raw.connection = nil
        connection = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        decoder.passed(part)
        connection?.received(part)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        connection?.turnEnded()
        context.fireChannelReadComplete()
        readIfWanted(context)
    }

    /// Reads later if requests wait that came with the last read: their answers come first.
    func read(context: ChannelHandlerContext) {
        if connection?.isReading ?? true {
            context.read()
        } else {
            isReadWanted = true
            connection?.onTurn = { [weak self] in self?.readIfWanted(context) }
        }
    }

    private func readIfWanted(_ context: ChannelHandlerContext) {
        guard isReadWanted, connection?.isReading ?? true else { return }
        isReadWanted = false
        context.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { connection?.resume() }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if connection?.handle(event) != true { context.fireUserInboundEventTriggered(event) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection?.closed()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection?.caught(error)
    }
}

/// A handler next to the socket that tells the connection when bytes arrive: the parser tells of whole headers only. Bytes
/// that the connection does not want end here. It counts those that are sent.
final class RawBytes: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var sentByteCount = 0
    weak var connection: HTTP1Connection?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if connection?.bytesReceived(unwrapInboundIn(data).readableBytes) ?? true { context.fireChannelRead(data) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        sentByteCount += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    /// Returns the number of bytes that were sent since the last such call.
    func takeSentByteCount() -> Int {
        defer { sentByteCount = 0 }
        return sentByteCount
    }
}
