package import NIOCore
package import RPCCore

/// A connection of some wire, as its channel, its calls and the passing of time use it. It decodes what arrives, and encodes
/// what is sent; the rest is its `ConnectionLifecycle`.
package protocol WireConnection: AnyObject {
    /// The output of the channel's earlier handlers.
    associatedtype Input
    associatedtype Output
    associatedtype Settings

    init(_ life: ConnectionLifecycle, _ settings: Settings)

    var life: ConnectionLifecycle { get }
    var calls: ConnectionCalls { get }

    // MARK: Calls

    /// Sends the only answer of a call.
    func respond(_ id: StreamID, _ message: any OutgoingMessage)
    /// Sends a message of a stream.
    func send(_ message: StreamMessage)
    /// Ends a stream that has no more messages.
    func endStream(_ id: StreamID)
    /// Answers a request that its method refused.
    func reject(_ id: StreamID, _ error: RPCError)
    /// Answers a call with an error.
    func fail(_ id: StreamID, _ error: RPCError)

    /// Whether there are requests whose calls have not begun, as those that are not complete.
    var hasWaitingRequests: Bool { get }

    // MARK: Turns

    /// Makes the answers that are possible now, with `ConnectionCalls.sendMessages`.
    func makeAnswers()
    /// Whether a message may be made in this turn. Those that may not are made in a later one.
    func takesMessage() -> Bool
    /// Whether the peer takes more bytes.
    var hasRoom: Bool { get }
    /// The bytes that were made for the peer and that the channel does not have.
    var waitingByteCount: Int { get }
    /// The bytes of requests that are not answered.
    var inboundByteCount: Int { get }
    /// Whether the connection closes when what was made is sent: it drains, or its peer sends nothing more, and nothing is left
    /// to answer.
    var isFinished: Bool { get }

    // MARK: The channel

    /// Whether to read more now.
    var isReading: Bool { get }
    func received(_ input: Input)
    /// Handles the end of a read, which may have brought nothing.
    func readCompleted()
    func writabilityChanged()
    /// Handles the end of the peer's input.
    func inputClosed()
    /// Handles an error of the socket, or of a handler before this one.
    func caught(_ error: any Error)

    // MARK: Time

    /// The time by which what has begun to arrive has to be complete; nil if nothing has.
    var inputDeadline: NIODeadline? { get }
    func inputTimedOut()
    /// Gives what has begun to arrive more time, because the server does not read for a while.
    func readingPaused(for time: TimeAmount)
    /// The next time at which the wire itself, or one of its calls, has something to check.
    var nextCheck: NIODeadline? { get }
    /// Checks what is due.
    func timePassed()
    /// Whether there is a request that is not answered, or whose answer the peer has not taken.
    var isInUse: Bool { get }
    func idleTimedOut(_ error: ConnectionError)
    /// Whether the peer would answer a ping now.
    var answersPings: Bool { get }
    func sendPing()

    // MARK: The end

    /// Ends the connection of a peer that broke a rule, and tells it the last call that may have run, if the wire can.
    func end(because error: ConnectionError)
    /// Begins to drain: finishes the calls, and then closes.
    func drainBegins()
    /// Begins to drain because the connection has reached its maximum age.
    func maximumAgeReached()
    /// Closes, after the calls were ended that were still open.
    func drainEnds()
    /// Sends what was encoded.
    func flush()
    /// Returns when all that was sent before is written to the socket.
    func whenWritten() -> EventLoopFuture<Void>
    /// Sends what a connection that closes now still has to tell, if the socket takes it.
    func sendLast()
    /// Forgets its requests, because the channel is closed.
    func closed()
}

extension WireConnection {
    /// The time of this turn of the event loop, read once for the whole turn.
    package var now: NIODeadline { life.now }
    /// Whether nothing more is sent, because the connection closes.
    package var isClosing: Bool { life.isClosing }
    package var isReading: Bool { true }
    package func caught(_ error: any Error) { life.close(because: error, of: self) }
    package func maximumAgeReached() { drainBegins() }
    package func idleTimedOut(_ error: ConnectionError) { close(because: error) }
    package func inputTimedOut() { close(because: .frameTimeout(after: life.server.configuration.limits.frameTimeout)) }
    package func close(because error: ConnectionError) { life.close(because: error, of: self) }
    package func sendLast() {}
    package func closed() {}

    /// Sets the timer to the next time that something has to be checked.
    package func armTimer() { life.setTimer(for: self) }

    /// Begins a turn of the event loop in which nothing has arrived.
    package func beginTurn() {
        life.turnBegins()
        turnEnded()
    }

    /// Makes and sends all answers that this turn of the event loop made possible.
    package func turnEnded() {
        guard !isClosing else { return }
        makeAnswers()
        flush()
        life.turnEnded(for: self)
    }
}

extension WireConnection where Output == ByteBuffer {
    package func whenWritten() -> EventLoopFuture<Void> { life.context.writeAndFlush(NIOAny(ByteBuffer())) }
}

/// An event that the server fires into the pipelines of its connections, whatever their wire.
package enum ConnectionEvent: Sendable, Hashable {
    /// The server stops: finish the calls, and close.
    case drainBegins
    /// The time of the drain is over: end the calls that are still open, and close.
    case drainEnds
    /// Tokens were changed, or have expired: end the streams of those that are not valid.
    case accessChanged
    /// All connections together hold too many bytes, and this one holds the most: close.
    case budgetExceeded
    /// The caller has used up its quota of bytes: nothing is read for this time.
    case readingPaused(TimeAmount)
}

/// The handler of every wire: it passes the events of a channel to the connection.
package final class ConnectionHandler<Connection: WireConnection>: ChannelDuplexHandler {
    package typealias InboundIn = Connection.Input
    package typealias OutboundIn = Connection.Output
    package typealias OutboundOut = Connection.Output

    private let server: ServerContext
    private let settings: Connection.Settings
    /// Whether the server stops, perhaps since before the connection was open.
    private var isDraining: Bool
    /// The connection; it exists from `channelActive` until the handler is removed.
    private var connection: Connection?

    package init(server: ServerContext, settings: Connection.Settings, isDraining: Bool) {
        self.server = server
        self.settings = settings
        self.isDraining = isDraining
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { open(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        open(context)
        context.fireChannelActive()
    }

    private func open(_ context: ChannelHandlerContext) {
        guard connection == nil else { return }
        let connection = Connection(ConnectionLifecycle(context, of: server), settings)
        self.connection = connection
        connection.armTimer()
        if isDraining { connection.drainBegins() }
    }

    package func handlerRemoved(context: ChannelHandlerContext) { connection = nil }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection?.received(unwrapInboundIn(data))
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        connection?.readCompleted()
        context.fireChannelReadComplete()
    }

    package func read(context: ChannelHandlerContext) {
        if let connection { connection.life.read(for: connection) } else { context.read() }
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        connection?.writabilityChanged()
        context.fireChannelWritabilityChanged()
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ConnectionEvent.drainBegins = event { isDraining = true }
        guard let connection else { return context.fireUserInboundEventTriggered(event) }
        switch event {
        case ChannelEvent.inputClosed: connection.life.inputClosed(of: connection)
        case ConnectionEvent.drainBegins: connection.drainBegins()
        case ConnectionEvent.drainEnds: connection.life.endDrain(of: connection)
        case ConnectionEvent.accessChanged: connection.calls.accessChanged(on: connection)
        case ConnectionEvent.budgetExceeded: connection.close(because: .memoryLimit)
        case ConnectionEvent.readingPaused(let time): connection.readingPaused(for: time)
        case let inspection as ConnectionInspection:
            let openCalls = connection.calls.runner.openCallCount
            let unsentByteCount = connection.life.unsentByteCount(of: connection)
            inspection.report(ConnectionActivity(openCalls: openCalls, unsentByteCount: unsentByteCount))
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        if let connection { connection.life.closed(connection) }
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) { connection?.caught(error) }
}
