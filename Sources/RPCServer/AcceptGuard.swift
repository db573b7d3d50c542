internal import Glibc
package import Logging
package import NIOCore
internal import RPCCore

/// A handler that keeps a listener working when the process, or the machine, is out of descriptors.
///
/// Accepting pauses for 10 ms, and twice as long each time, up to 1 s. Without the pause it would fail as fast as the
/// loop turns. The spare descriptor is released, so that the next accept succeeds: that connection is closed at once.
///
/// The pause turns `autoRead` off. NIO's own handler for this holds back `read`, which stops nothing: a listener whose
/// first accept failed still has the earlier read pending, and the loop calls it again at once.
package final class AcceptGuard: ChannelInboundHandler {
    package typealias InboundIn = any Channel
    package typealias InboundOut = any Channel

    static let shortestPause = TimeAmount.milliseconds(10)
    static let longestPause = TimeAmount.seconds(1)

    private let counters: EventCounters?
    private let logger: Logger
    private var spare = SpareDescriptor()
    /// The length of the last pause; nil while connections are accepted.
    private var pause: TimeAmount?
    private var resumption: Scheduled<Void>?

    /// - Parameters:
    ///   - counters: The counters of the listener's event loop; nil if nothing is counted.
    ///   - logger: The log for errors of accepting.
    package init(counters: EventCounters? = nil, logger: Logger) {
        self.counters = counters
        self.logger = logger
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            beginPause(context)
            spare.release()
        case ECONNABORTED:
            // The peer closed the connection while it waited in the queue.
            break
        default:
            // SwiftNIO closes the listener after this; `Listener` opens it again.
            counters?.count(.acceptFailed)
            logger.warning("cannot accept a connection", metadata: ["error": "\(error)"])
            context.fireErrorCaught(error)
        }
    }

    private func beginPause(_ context: ChannelHandlerContext) {
        if pause == nil { logger.debug("out of file descriptors: accepting paused") }
        let pause = min(pause.map { $0 * 2 } ?? Self.shortestPause, Self.longestPause)
        self.pause = pause
        counters?.count(.acceptPaused)
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        resumption?.cancel()
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        resumption = context.eventLoop.scheduleTask(in: pause) {
            try? bound.value.channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard spare.restore() else { return shed(unwrapInboundIn(data), context) }
        pause = nil
        context.fireChannelRead(data)
    }

    /// Closes a connection that took the last descriptor, and takes the descriptor back.
    private func shed(_ channel: any Channel, _ context: ChannelHandlerContext) {
        counters?.count(.connectionShed)
        let guardian = NIOLoopBound(self, eventLoop: context.eventLoop)
        channel.closeFuture.hop(to: context.eventLoop).whenComplete { _ in _ = guardian.value.spare.restore() }
        channel.close(promise: nil)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        resumption?.cancel()
        spare.release()
    }
}
