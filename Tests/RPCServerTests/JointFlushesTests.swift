import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import RPCServer

@Suite struct JointFlushesTests {
    /// A connection that counts how often it is flushed.
    private final class Connection {
        private final class Counter: ChannelOutboundHandler {
            typealias OutboundIn = ByteBuffer
            var count = 0

            func flush(context: ChannelHandlerContext) { count += 1 }
        }

        private final class Holder: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer
            var context: ChannelHandlerContext?

            func handlerAdded(context: ChannelHandlerContext) { self.context = context }

            func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }
        }

        private let counter = Counter()
        private let channel: EmbeddedChannel
        let context: ChannelHandlerContext

        init(on loop: EmbeddedEventLoop) throws {
            let holder = Holder()
            channel = EmbeddedChannel(handlers: [counter, holder], loop: loop)
            context = try #require(holder.context)
        }

        var flushCount: Int { counter.count }
    }

    private let loop = EmbeddedEventLoop()
    private let time: Time
    private let flushes: JointFlushes

    /// The time, as the loop's own does not pass without its tasks.
    private final class Time: Sendable {
        private let value = Mutex(NIODeadline.uptimeNanoseconds(0))

        var now: NIODeadline { value.withLock { $0 } }

        func set(microseconds: Int64) {
            value.withLock { $0 = .uptimeNanoseconds(0) + .microseconds(microseconds) }
        }
    }

    init() {
        let time = Time()
        self.time = time
        flushes = JointFlushes(on: loop) { time.now }
    }

    @Test func aConnectionThatIsAloneIsFlushedAtOnce() throws {
        let connection = try Connection(on: loop)
        for count in 1...3 {
            flushes.flush(connection.context)
            #expect(connection.flushCount == count)
        }
    }

    @Test func severalConnectionsAreFlushedWhenTheLoopHasHandledWhatArrived() throws {
        let connections = try (0..<4).map { _ in try Connection(on: loop) }
        for connection in connections { flushes.flush(connection.context) }
        #expect(connections.map(\.flushCount) == [1, 0, 0, 0])
        loop.run()
        #expect(connections.map(\.flushCount) == [1, 1, 1, 1])
        // In the next pass the first one is no longer alone.
        for connection in connections { flushes.flush(connection.context) }
        #expect(connections.map(\.flushCount) == [1, 1, 1, 1])
        loop.run()
        #expect(connections.map(\.flushCount) == [2, 2, 2, 2])
    }

    @Test func noConnectionWaitsForMoreThanFifteenOthers() throws {
        let connections = try (0..<18).map { _ in try Connection(on: loop) }
        for connection in connections { flushes.flush(connection.context) }
        #expect(connections.map(\.flushCount) == [Int](repeating: 1, count: 17) + [0])
        loop.run()
        #expect(connections.last?.flushCount == 1)
    }

    @Test func noConnectionWaitsLongForOthersWhoseCallsTakeLong() throws {
        let connections = try (0..<4).map { _ in try Connection(on: loop) }
        for (connection, microseconds) in zip(connections, [0, 0, 500, 501] as [Int64]) {
            time.set(microseconds: microseconds)
            flushes.flush(connection.context)
        }
        #expect(connections.map(\.flushCount) == [1, 1, 1, 1])
    }
}
