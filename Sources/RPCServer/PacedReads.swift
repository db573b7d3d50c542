internal import NIOCore
internal import RPCCore

/// A handler next to the socket that reads no faster than a quota permits. What is not read waits in the kernel, and then at
/// the peer.
final class PacedReads: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The quota that reads count for; nil if there is no limit.
    var account: ConnectionAccount?
    /// Whether reads wait if the quota is used up.
    var waits = true
    private let counters: EventCounters
    private var context: ChannelHandlerContext?
    /// The end of the pause in which nothing is read; nil if there is none.
    private var pauseEnd: LoopTimer?
    private var isReadWanted = false

    init(counters: EventCounters) { self.counters = counters }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        pauseEnd?.cancel()
        pauseEnd = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let byteCount = unwrapInboundIn(data).readableBytes
        if let wait = account?.takeBytes(byteCount, now: context.eventLoop.now), waits { pause(for: wait) }
        context.fireChannelRead(data)
    }

    /// Reads nothing for a while. A pause that has begun is not made longer.
    func pause(for time: TimeAmount) {
        guard pauseEnd == nil, let eventLoop = context?.eventLoop else { return }
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        pauseEnd = LoopTimer(at: eventLoop.now + time, on: eventLoop, counters: counters) { handler.value.pauseEnded() }
    }

    private func pauseEnded() {
        pauseEnd = nil
        guard isReadWanted else { return }
        isReadWanted = false
        context?.read()
    }

    func read(context: ChannelHandlerContext) {
        if pauseEnd == nil { context.read() } else { isReadWanted = true }
    }
}
