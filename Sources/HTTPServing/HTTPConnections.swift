internal import NIOCore
internal import RPCCore
internal import Synchronization

/// The listening channel and the open connections of a server of pages: their shares of the connections, and their end.
///
/// One host cannot keep the others, or its own next request, from being answered: when a share is used up, the connection of that
/// host that has waited longest for a request is closed in favor of the new one.
final class HTTPConnections: Sendable {
    private struct Connection {
        let channel: any Channel
        let address: PeerAddress?
        /// Whether a request was received that is not answered.
        var isAnswering = false
        /// The time of the beginning, or of the end of the last request or answer.
        var since: NIODeadline
    }

    private struct State {
        var isStopping = false
        var listener: (any Channel)?
        var open: [ObjectIdentifier: Connection] = [:]
        var counts: [PeerAddress?: Int] = [:]

        mutating func remove(_ id: ObjectIdentifier) -> (any Channel)? {
            guard let connection = open.removeValue(forKey: id) else { return nil }
            let count = counts[connection.address, default: 1] - 1
            counts[connection.address] = count > 0 ? count : nil
            return connection.channel
        }
    }

    private let group: any EventLoopGroup
    private let limits: HTTPServerLimits
    private let state = Mutex(State())

    init(group: any EventLoopGroup, limits: HTTPServerLimits) {
        self.group = group
        self.limits = limits
    }

    var isStopping: Bool { state.withLock(\.isStopping) }

    /// Notes the channel that accepts connections from now on.
    func listening(_ listener: any Channel) {
        let isStopping = state.withLock { state in
            state.listener = listener
            return state.isStopping
        }
        if isStopping { endAccepting(listener) }
    }

    /// Counts a new connection until it closes. Another one may be closed in its favor.
    ///
    /// - Throws: `ConnectionError.connectionLimit` if there is no room.
    func accepted(_ channel: any Channel, now: NIODeadline = .now()) throws(ConnectionError) {
        let id = ObjectIdentifier(channel)
        let address = PeerAddress(channel.remoteAddress)
        let (isAccepted, displaced) = state.withLock { state -> (Bool, (any Channel)?) in
            var displaced: (any Channel)?
            if isFull(address, state) {
                guard let oldest = longestWaiting(state, of: address, now: now) else { return (false, nil) }
                displaced = state.remove(oldest)
            } else if state.open.count >= limits.connections {
                guard let oldest = longestWaiting(state, now: now) else { return (false, nil) }
                displaced = state.remove(oldest)
            }
            state.open[id] = Connection(channel: channel, address: address, since: now)
            state.counts[address, default: 0] += 1
            return (true, displaced)
        }
        displaced?.pipeline.fireUserInboundEventTriggered(ConnectionDisplaced())
        guard isAccepted else { throw .connectionLimit(limits.connections) }
        channel.closeFuture.whenComplete { [self] _ in state.withLock { _ = $0.remove(id) } }
    }

    /// Whether a host has its share. This machine's own connections have no share but that of all.
    private func isFull(_ address: PeerAddress?, _ state: State) -> Bool {
        guard let address, address != .loopback else { return false }
        return state.counts[address, default: 0] >= limits.connectionsPerAddress
    }

    /// Finds the connection to close in favor of a new one: of the host with the most connections, the one that has waited
    /// longest for a request, or for its peer to read an answer.
    ///
    /// - Parameters:
    ///   - state: The open connections.
    ///   - host: The host; nil for any.
    ///   - now: The time.
    /// - Returns: The connection; nil if all are being answered.
    private func longestWaiting(_ state: State, of host: PeerAddress? = nil, now: NIODeadline) -> ObjectIdentifier? {
        let stalled = now - TimeAmount(limits.idleTimeout)
        let waiting = state.open.filter { _, connection in
            (host == nil || connection.address == host) && (!connection.isAnswering || connection.since < stalled)
        }
        return waiting.min { left, right in
            let counts = (state.counts[left.value.address] ?? 0, state.counts[right.value.address] ?? 0)
            return (-counts.0, left.value.since) < (-counts.1, right.value.since)
        }?.key
    }

    /// Notes that a request or an answer has ended.
    func noteProgress(of channel: any Channel, isAnswering: Bool, now: NIODeadline = .now()) {
        state.withLock { state in
            state.open[ObjectIdentifier(channel)]?.isAnswering = isAnswering
            state.open[ObjectIdentifier(channel)]?.since = now
        }
    }

    /// Notes that a new connection has its handlers.
    func opened(_ connection: any Channel) {
        if isStopping { connection.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    /// Ends accepting, and has each connection closed when it has no request.
    func stop() {
        let (listener, open) = state.withLock { state in
            state.isStopping = true
            return (state.listener, state.open.values.map(\.channel))
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
