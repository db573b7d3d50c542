import NIOCore
import RPCCore
import Synchronization

/// A number that rises, and its watchers: each gets every number from 1 on, as a message of 1,000 bytes.
final class TestFeed: MessageLog {
    /// A watcher that is so many numbers behind gets the last one in place of those that it missed.
    static let capacity: Int64 = 200

    private struct State {
        var last: Int64 = 0
        var wakers: [Int: Waker] = [:]
        var lastKey = 0
        var watcherCount = 0
    }

    private let state = Mutex(State())

    /// The number of connections that listen.
    var listenerCount: Int { state.withLock(\.wakers.count) }

    /// The number of calls that watch.
    var watcherCount: Int { state.withLock(\.watcherCount) }

    fileprivate func count(_ change: Int) { state.withLock { $0.watcherCount += change } }

    /// - Parameter wakeCount: How many times each connection is woken for it.
    func rise(wakeCount: Int = 1) {
        let wakers = state.withLock { state in
            state.last += 1
            return state.wakers.values
        }
        for _ in 0..<wakeCount { for waker in wakers { waker() } }
    }

    func entry(after number: Int64) -> LogEntry {
        state.withLock { state in
            guard number < state.last else { return .nothing }
            guard number + Self.capacity >= state.last else { return .missed }
            return .message(Self.message(number + 1), number: number + 1)
        }
    }

    private static func message(_ number: Int64) -> EncodedMessage {
        var bytes = ByteBuffer(integer: number)
        bytes.writeRepeatingByte(0, count: 1_000 - bytes.readableBytes)
        return EncodedMessage(bytes)
    }

    func listen(_ waker: Waker) -> @Sendable () -> Void {
        let key = state.withLock { state in
            state.lastKey += 1
            state.wakers[state.lastKey] = waker
            return state.lastKey
        }
        return { [self] in
            let waker = state.withLock { $0.wakers.removeValue(forKey: key) }
            _ = waker
        }
    }

    /// Streams the numbers.
    func method(_ name: String) -> RPCMethod {
        RPCMethod(name: name, kind: .serverStreaming, isWatch: true) { [self] _ in .source(Watcher(self)) }
    }

    private final class Watcher: MessageSource {
        private let feed: TestFeed
        private let number: Int64
        private let hasMissed: Bool

        init(_ feed: TestFeed, after number: Int64 = 0, hasMissed: Bool = false) {
            (self.feed, self.number, self.hasMissed) = (feed, number, hasMissed)
            feed.count(1)
        }

        deinit { feed.count(-1) }

        /// The call holds this watcher by the function while it reads.
        var cursor: LogCursor? {
            hasMissed ? nil : LogCursor(feed, after: number) { Watcher(self.feed, after: $0, hasMissed: true) }
        }

        func next() throws(RPCError) -> Step {
            let last = feed.state.withLock(\.last)
            return .message(TestFeed.message(last), then: Watcher(feed, after: last))
        }
    }
}
