package import NIOCore
internal import RPCCore
internal import Synchronization

/// The facts of an open connection, for an operator.
package struct ConnectionDescription: Sendable {
    /// The wire that the connection speaks.
    package let wire: String
    package let peer: SocketAddress?
    package let age: Duration
    /// The state of its calls; nil if the connection has not begun to speak yet.
    package let activity: ConnectionActivity?
}

/// The calls of a connection, and the bytes that the server keeps for it.
package struct ConnectionActivity: Sendable, Hashable {
    /// The number of calls that are not answered.
    package let openCalls: Int
    /// The bytes that wait for the peer to read them.
    package let unsentByteCount: Int

    package init(openCalls: Int, unsentByteCount: Int) {
        self.openCalls = openCalls
        self.unsentByteCount = unsentByteCount
    }
}

/// An event that asks a connection for its activity. It is fired into the connection's pipeline on its event loop.
package final class ConnectionInspection: Sendable {
    private let found = Mutex<ConnectionActivity?>(nil)

    package init() {}

    package var activity: ConnectionActivity? { found.withLock(\.self) }

    func report(_ activity: ConnectionActivity) { found.withLock { $0 = activity } }
}

extension ConnectionRegistry {
    /// Describes open connections.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of them.
    ///   - eventLoop: The loop of the result.
    /// - Returns: The connections, the oldest first; without the activity of those whose loop has failed.
    func describe(atMost limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<[ConnectionDescription]> {
        let now = NIODeadline.now()
        let described = oldest(limit).map { connection in
            let channel = connection.channel
            let inspection = ConnectionInspection()
            return channel.eventLoop
                .submit { channel.pipeline.syncOperations.fireUserInboundEventTriggered(inspection) }
                .map {
                    ConnectionDescription(
                        wire: connection.wire,
                        peer: channel.remoteAddress,
                        age: .nanoseconds((now - connection.openedAt).nanoseconds),
                        activity: inspection.activity
                    )
                }
        }
        return EventLoopFuture.whenAllSucceed(described, on: eventLoop)
    }
}
