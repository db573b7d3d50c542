import NIOCore
import RPCCore
import Synchronization

/// A number that rises, and its watchers: each gets every number that comes after it began.
final class TestFeed: Sendable {
    private struct State {
        var last: UInt32 = 0
        var wakers: [ObjectIdentifier: Waker] = [:]
        var watcherCount = 0
    }

    private let state = Mutex(State())

    var last: UInt32 { state.withLock(\.last) }
    /// Those that wait, and all that exist.
    var waitingCount: Int { state.withLock(\.wakers.count) }
    var watcherCount: Int { state.withLock(\.watcherCount) }

    fileprivate func count(_ change: Int) { state.withLock { $0.watcherCount += change } }

    /// - Parameter wakeCount: How many times each watcher is woken for it.
    func rise(wakeCount: Int = 1) {
        let wakers = state.withLock { state in
            state.last += 1
            return state.wakers.values
        }
        for _ in 0..<wakeCount { for waker in wakers { waker() } }
    }

    /// `then` is woken when `last` is above `number`, at once if it is now.
    fileprivate func wait(above number: UInt32, timeout: Duration?, then: Watcher) -> Wait? {
        guard last <= number else { return nil }
        return Wait(timeout: timeout, then: then) { [self] waker in
            let id = ObjectIdentifier(then)
            let isAbove = state.withLock { state in
                state.wakers[id] = waker
                return state.last > number
            }
            if isAbove { waker() }
            return { [self] in state.withLock { _ = $0.wakers.removeValue(forKey: id) } }
        }
    }

    /// Streams the numbers after the request's length, and `idle` when nothing happens for a while.
    func method(_ name: String, timeout: Duration? = nil) -> Method {
        Method(name: name, kind: .serverStreaming, isWatch: true) { [self] call throws(RPCError) in
            .source(Watcher(self, number: UInt32(call.payload.readableBytes), timeout: timeout))
        }
    }

    fileprivate final class Watcher: MessageSource {
        private let feed: TestFeed
        private let number: UInt32
        private let timeout: Duration?
        private let hasWaited: Bool

        init(_ feed: TestFeed, number: UInt32, timeout: Duration?, hasWaited: Bool = false) {
            self.feed = feed
            self.number = number
            self.timeout = timeout
            self.hasWaited = hasWaited
            feed.count(1)
        }

        deinit { feed.count(-1) }

        private func watcher(at number: UInt32, hasWaited: Bool = false) -> Watcher {
            Watcher(feed, number: number, timeout: timeout, hasWaited: hasWaited)
        }

        var wait: Wait? {
            hasWaited ? nil : feed.wait(above: number, timeout: timeout, then: watcher(at: number, hasWaited: true))
        }

        func next() throws(RPCError) -> Step {
            guard feed.last > number else { return .encoded(ByteBuffer(string: "idle"), then: watcher(at: number)) }
            return .encoded(ByteBuffer(integer: number + 1), then: watcher(at: number + 1))
        }
    }
}
