internal import NIOCore

/// A handler next to the socket that tells the connection when bytes arrive: the parser tells of whole headers only. Bytes
/// that the connection does not want end here. It counts those that are sent.
final class RawBytes: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var sentByteCount = 0
    private var context: ChannelHandlerContext?
    weak var connection: HTTP1Connection?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if connection?.bytesReceived(unwrapInboundIn(data).readableBytes) ?? true { context.fireChannelRead(data) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        sentByteCount += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func takeSentByteCount() -> Int {
        defer { sentByteCount = 0 }
        return sentByteCount
    }

    /// Returns when all that was sent before is written to the socket; nil if the channel is closed.
    func whenWritten() -> EventLoopFuture<Void>? { context?.writeAndFlush(NIOAny(ByteBuffer())) }
}
