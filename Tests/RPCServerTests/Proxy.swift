import NIOCore
import NIOPosix
import RPCCore
import Synchronization

/// Stands between a client and a server and can cut what it carries.
final class Proxy: Sendable {
    private let listener: any Channel
    private let connections: Connections

    private init(listener: any Channel, connections: Connections) {
        self.listener = listener
        self.connections = connections
    }

    var address: ServerAddress { .tcp(host: "127.0.0.1", port: listener.localAddress?.port ?? 0) }

    static func start(to server: ServerAddress) async throws -> Proxy {
        guard case .tcp(let host, let port) = server else { throw ChannelError.unknownLocalAddress }
        let connections = Connections()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { client in
                connections.channels.withLock { $0.append(client) }
                return ClientBootstrap(group: client.eventLoop)
                    .connect(host: host, port: port)
                    .flatMapThrowing { server in
                        try client.pipeline.syncOperations.addHandler(Relay(to: server))
                        try server.pipeline.syncOperations.addHandler(Relay(to: client))
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return Proxy(listener: listener, connections: connections)
    }

    func cutConnections() async {
        let channels = connections.channels.withLock { channels in
            defer { channels = [] }
            return channels
        }
        for channel in channels { try? await channel.close() }
    }

    func stop() async {
        try? await listener.close()
        await cutConnections()
    }

    private final class Connections: Sendable {
        let channels = Mutex<[any Channel]>([])
    }

    private final class Relay: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let other: any Channel

        init(to other: any Channel) { self.other = other }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            other.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            other.close(promise: nil)
        }
    }
}
