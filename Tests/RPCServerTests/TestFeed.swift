import NIOCore
import RPCCore
import Synchronization

/// A number that rises, and its watchers: each gets every number that comes after it began.
final class TestFeed: MessageLog {
    private struct State {
        var last: UInt32 = 0
        var wakers: [Int: Waker] = [:]
        var lastKey = 0
        var watcherCount = 0
    }

    private let state = Mutex(State())

    var last: UInt32 { state.withLock(\.last) }
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

    /// Streams the numbers after the request's length, and `idle` when nothing happens for a while.
    func method(_ name: String, timeout: Duration? = nil) -> RPCMethod {
        RPCMethod(name: name, kind: .serverStreaming, isWatch: true) { [self] call throws(RPCError) in
            .source(Watcher(self, number: Int64(call.payload.readableBytes), timeout: timeout))
        }
    }

    private final class Watcher: MessageSource {
        private let feed: TestFeed
        private let number: Int64
        private let timeout: Duration?
        /// Whether it has waited for as long as it may.
        private let hasWaited: Bool

        init(_ feed: TestFeed, number: Int64, timeout: Duration?, hasWaited: Bool = false) {
            self.feed = feed
            self.number = number
            self.timeout = timeout
            self.hasWaited = hasWaited
            feed.count(1)
        }

        deinit { feed.count(-1) }

        private func watcher(at number: Int64, hasWaited: Bool = false) -> Watcher {
            Watcher(feed, number: number, timeout: timeout, hasWaited: hasWaited)
        }

        var cursor: LogCursor? {
            // The call holds this watcher by the function while it reads.
            hasWaited ? nil : LogCursor(feed, after: number, timeout: timeout) { self.watcher(at: $0, hasWaited: true) }
        }

        func next() throws(RPCError) -> Step {
            .encoded(ByteBuffer(string: "idle"), then: watcher(at: number))
        }
    }
}
