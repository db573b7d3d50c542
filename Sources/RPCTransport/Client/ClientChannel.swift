internal import Framing
internal import NIOCore
internal import NIOPosix
internal import RPCCore
internal import Synchronization

/// A connection's handle for other threads: each request hops to the connection's event loop.
final class ClientChannel: Sendable {
    private let channel: any Channel
    private let connection: NIOLoopBound<ClientConnectionHandler>
    private let takesCalls = Atomic(true)

    private init(channel: any Channel, connection: NIOLoopBound<ClientConnectionHandler>) {
        self.channel = channel
        self.connection = connection
    }

    /// Connects and says Hello.
    ///
    /// - Parameters:
    ///   - address: Where to.
    ///   - options: The client's.
    ///   - onGoAway: Called on the event loop when the server takes no more calls.
    /// - Returns: The connection, which takes calls at once.
    /// - Throws: Why nobody could be reached there.
    static func open(
        _ address: ServerAddress,
        _ options: RPCClientOptions,
        onGoAway: @escaping @Sendable (ServerGoAway) -> Void
    ) async throws -> ClientChannel {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(TimeAmount(options.connectTimeout))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = ClientConnectionHandler(address: address, options: options)
                    handler.onGoAway = onGoAway
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
        let channel: any Channel
        switch address {
        case .tcp(let host, let port):
            channel = try await bootstrap.channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: host, port: port).get()
        case .unix(let path):
            channel = try await bootstrap.connect(unixDomainSocketPath: path).get()
        }
        return try await channel.eventLoop.submit {
            let handler = try channel.pipeline.syncOperations.handler(type: ClientConnectionHandler.self)
            let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
            let handle = ClientChannel(channel: channel, connection: bound)
            handler.onRetired = { [weak handle] in handle?.takesCalls.store(false, ordering: .releasing) }
            if !channel.isActive { handler.onRetired?() }
            return handle
        }.get()
    }

    /// False once the connection is closed or the server has said GoAway.
    var acceptsCalls: Bool { takesCalls.load(ordering: .acquiring) }

    func send(_ call: ClientCall) {
        channel.eventLoop.execute { [self] in connection.value.send(call, through: self) }
    }

    func withdraw(_ call: ClientCall) {
        channel.eventLoop.execute { [connection] in connection.value.withdraw(call) }
    }

    func grant(_ count: UInt32, on id: StreamID) {
        channel.eventLoop.execute { [connection] in connection.value.grant(count, on: id) }
    }

    func abandon(_ id: StreamID) {
        channel.eventLoop.execute { [connection] in connection.value.abandon(id) }
    }

    func close() async {
        try? await channel.close()
    }
}
