import NIOCore
import NIOPosix

/// A relay between replicas and a database, at a port of its own, which makes the faults of a `Disturbance`.
final class DatabaseProxy: Sendable {
    private let listener: any Channel

    private init(_ listener: any Channel) { self.listener = listener }

    var port: Int { listener.localAddress?.port ?? 0 }

    static func start(to port: Int, _ disturbance: Disturbance) async throws -> DatabaseProxy {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { replica in
                ClientBootstrap(group: replica.eventLoop)
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .connect(host: "127.0.0.1", port: port)
                    .flatMapThrowing { database in
                        let connection = ProxiedConnection(replica: replica, database: database, disturbance)
                        let handlers = (
                            ProxyHandler(connection, .toDatabase), ProxyHandler(connection, .toReplica)
                        )
                        try replica.pipeline.syncOperations.addHandler(handlers.0)
                        try database.pipeline.syncOperations.addHandler(handlers.1)
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return DatabaseProxy(listener)
    }

}

/// One relayed connection. It is used on its event loop only.
private final class ProxiedConnection {
    private let replica: any Channel
    private let database: any Channel
    private let disturbance: Disturbance
    /// The part of the replica; nil until it has said so.
    private var part: ConnectionPart?
    private var messages = BackendMessages()
    /// The time before which nothing more is sent to a feed, so that delayed bytes keep their order.
    private var nextRelease = NIODeadline.now()
    private var isCut = false

    init(replica: any Channel, database: any Channel, _ disturbance: Disturbance) {
        self.replica = replica
        self.database = database
        self.disturbance = disturbance
    }

    func received(_ bytes: ByteBuffer, _ direction: ByteCut.Direction) {
        switch direction {
        case .toDatabase:
            if part == nil { part = ConnectionPart(startup: bytes.readableBytesView) }
            send(bytes, direction)
        case .toReplica:
            guard part == .feed else { return send(bytes, direction) }
            messages.append(bytes)
            while let (message, isNotification) = messages.next() {
                guard let delay = disturbance.delay(ofNotification: isNotification, message.readableBytes) else {
                    continue
                }
                sendToFeed(message, after: delay)
            }
        }
    }

    private func sendToFeed(_ message: ByteBuffer, after delay: TimeAmount) {
        let now = NIODeadline.now()
        guard delay > .zero || nextRelease > now else { return send(message, .toReplica) }
        nextRelease = max(now + delay, nextRelease + .nanoseconds(1))
        replica.eventLoop.assumeIsolated().scheduleTask(deadline: nextRelease) { self.send(message, .toReplica) }
    }

    private func send(_ bytes: ByteBuffer, _ direction: ByteCut.Direction) {
        guard !isCut else { return }
        let receiver = direction == .toDatabase ? database : replica
        guard let part, let passed = disturbance.bytesBeforeCut(of: bytes.readableBytes, part, direction) else {
            receiver.writeAndFlush(bytes, promise: nil)
            return
        }
        isCut = true
        let rest = bytes.getSlice(at: bytes.readerIndex, length: passed) ?? ByteBuffer()
        receiver.writeAndFlush(rest, promise: nil)
        close()
    }

    func close() {
        replica.close(promise: nil)
        database.close(promise: nil)
    }
}

private final class ProxyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: ProxiedConnection
    private let direction: ByteCut.Direction

    init(_ connection: ProxiedConnection, _ direction: ByteCut.Direction) {
        self.connection = connection
        self.direction = direction
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.received(unwrapInboundIn(data), direction)
    }

    func channelInactive(context: ChannelHandlerContext) { connection.close() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { connection.close() }
}

/// The messages of a PostgreSQL server after the start of a session, cut from its bytes: a letter, the length with itself,
/// and the contents.
private struct BackendMessages {
    private static let notification = UInt8(ascii: "A")

    private var bytes = ByteBuffer()

    mutating func append(_ received: ByteBuffer) { bytes.writeImmutableBuffer(received) }

    /// Returns the next complete message.
    mutating func next() -> (message: ByteBuffer, isNotification: Bool)? {
        let start = bytes.readerIndex
        guard let type = bytes.getInteger(at: start, as: UInt8.self),
            let length = bytes.getInteger(at: start + 1, as: UInt32.self),
            let message = bytes.readSlice(length: 1 + Int(length))
        else { return nil }
        return (message, type == Self.notification)
    }
}
