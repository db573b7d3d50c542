internal import NIOCore
internal import NIOPosix
internal import RPCCore

/// A handler between a client's protection and its wire: the wire learns of the connection when the handshake is complete,
/// so that no call is sent, and none counts as sent, on a connection whose server was not verified.
final class HandshakeGate: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let timeout: TimeAmount
    private let result: EventLoopPromise<Void>
    private var timer: Scheduled<Void>?
    private var isOpen = false

    init(timeout: Duration, eventLoop: any EventLoop) {
        self.timeout = TimeAmount(timeout)
        self.result = eventLoop.makePromise()
    }

    /// Succeeds when the handshake is complete. Fails with `SecurityError`, or with the error of the socket.
    var opened: EventLoopFuture<Void> { result.futureResult }

    func channelActive(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: timeout) {
            let (gate, context) = bound.value
            gate.fail(SecurityError("the TLS handshake took more than \(Duration(gate.timeout))", isPermanent: false))
            context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is SecureHandshake, !isOpen else { return context.fireUserInboundEventTriggered(event) }
        isOpen = true
        timer?.cancel()
        result.succeed()
        context.fireChannelActive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(ChannelError.eof)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { fail(ChannelError.eof) }

    /// Fails the attempt. It has no effect after the handshake.
    private func fail(_ error: any Error) {
        timer?.cancel()
        guard !isOpen else { return }
        isOpen = true
        result.fail(error)
    }
}

extension ClientBootstrap {
    /// Connects to a server by its address, and by the protection that it asks for.
    ///
    /// - Parameters:
    ///   - route: The server, and its address.
    ///   - security: The protection of servers that ask for one.
    ///   - timeout: The time that a handshake may take.
    ///   - eventLoop: The event loop of the connection.
    ///   - prepare: Adds the handlers of the wire.
    /// - Returns: The channel. It may be used: the handshake is complete.
    func connect(
        to route: ServerRoute,
        security: ClientSecurity,
        timeout: Duration,
        on eventLoop: any EventLoop,
        _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        guard route.server.isSecure else { return channelInitializer(prepare).connect(to: route.address) }
        let bootstrap = NIOLoopBound(self, eventLoop: eventLoop)
        return security.prepare(route.server, eventLoop).flatMap { open in
            bootstrap.value
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try open(channel)
                        let gate = HandshakeGate(timeout: timeout, eventLoop: channel.eventLoop)
                        try channel.pipeline.syncOperations.addHandler(gate)
                    }.flatMap { prepare(channel) }
                }
                .connect(to: route.address)
                .flatMap { channel in
                    // A connection that failed at once has no handlers any more.
                    let gate = try? channel.pipeline.syncOperations.handler(type: HandshakeGate.self)
                    let opened = gate?.opened ?? channel.eventLoop.makeFailedFuture(ChannelError.eof)
                    return opened.map { channel }
                }
        }
    }
}
