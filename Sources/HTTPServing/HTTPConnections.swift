internal import NIOCore
internal import Synchronization

/// The listening channel and the open connections of a server of pages, for its stop.
final class HTTPConnections: Sendable {
    private struct State {
        var isStopping = false
        var listener: (any Channel)?
        var open: [ObjectIdentifier: any Channel] = [:]
    }

    private let group: any EventLoopGroup
    private let state = Mutex(State())

    init(group: any EventLoopGroup) { self.group = group }

    var isStopping: Bool { state.withLock(\.isStopping) }

    /// Notes the channel that accepts connections from now on.
    func listening(_ listener: any Channel) {
        let isStopping = state.withLock { state in
            state.listener = listener
            return state.isStopping
        }
        if isStopping { endAccepting(listener) }
    }

    /// Notes a new connection.
    func opened(_ connection: any Channel) {
        let id = ObjectIdentifier(connection)
        let isStopping = state.withLock { state in
            state.open[id] = connection
            return state.isStopping
        }
        connection.closeFuture.whenComplete { [self] _ in state.withLock { $0.open[id] = nil } }
        if isStopping { connection.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    /// Ends accepting, and has each connection closed when it has no request.
    func stop() {
        let (listener, open) = state.withLock { state in
            state.isStopping = true
            return (state.listener, state.open.values)
        }
        if let listener { endAccepting(listener) }
        for connection in open { connection.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    /// Closes the listener when all connections that it has accepted are open: SwiftNIO would close the others unanswered.
    private func endAccepting(_ listener: any Channel) {
        listener.setOption(.autoRead, value: false)
            .flatMapErrorThrowing { _ in }
            .flatMap { [group] in
                EventLoopFuture.andAllComplete(group.makeIterator().map { $0.submit {} }, on: listener.eventLoop)
            }
            .whenComplete { _ in listener.close(promise: nil) }
    }
}

/// A handler that lets a connection send its first request when the server stops.
///
/// A client that has just connected is about to send one, and cannot know that the server stops. A client that has had an
/// answer has to expect the end of its connection (RFC 9112, section 9.5).
final class FirstRequestHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private static let longestWait = TimeAmount.seconds(1)

    private var hasRead = false
    /// The timer for the end of the wait for a request; nil if the server does not wait for one.
    private var timer: Scheduled<Void>?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasRead = true
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if hasRead, timer != nil { endWait(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent, !hasRead else { return context.fireUserInboundEventTriggered(event) }
        guard timer == nil else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: Self.longestWait) {
            let (handler, context) = bound.value
            handler.endWait(context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    private func endWait(_ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
}
