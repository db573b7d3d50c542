import NIOCore
import RPCCore
import Synchronization

/// A number that rises, and its watchers: each gets every number from 1 on.
final class TestFeed: MessageLog {
    private struct State {
        var last: UInt32 = 0
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
            return .message(EncodedMessage(ByteBuffer(integer: UInt32(number + 1))), number: number + 1)
        }
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

        init(_ feed: TestFeed) {
            self.feed = feed
            feed.count(1)
        }

        deinit { feed.count(-1) }

        /// The call holds this watcher by the function while it reads.
        var cursor: LogCursor? { LogCursor(feed, after: 0) { _ in self } }

        func next() throws(RPCError) -> Step { .end }
    }
}
