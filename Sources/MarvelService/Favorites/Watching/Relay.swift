internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import Synchronization

/// Relays a list's revision to one event loop, once for all connections on that loop.
final class Relay: Sendable {
    private struct State {
        var revision: Int64
        var wakers: [Int: Waker] = [:]
        var lastKey = 0
    }

    private let state: Mutex<State>
    private let subscription = Mutex<Subscription?>(nil)

    init(of source: CurrentValueSubject<Int64>, on eventLoop: any EventLoop) {
        state = Mutex(State(revision: source.value))
        let subscription = source.subscribe(on: { eventLoop.execute($0) }) { [weak self] revision in
            self?.changed(to: revision)
        }
        self.subscription.withLock { $0 = subscription }
    }

    /// - Parameter waker: Called after each change from now on.
    /// - Returns: A function that removes the waker.
    func add(_ waker: Waker) -> @Sendable () -> Void {
        let key = state.withLock { state in
            state.lastKey += 1
            state.wakers[state.lastKey] = waker
            return state.lastKey
        }
        return { [weak self] in self?.remove(key) }
    }

    private func remove(_ key: Int) {
        // Releasing the waker may end its connection, and so other watches: not under the lock.
        let waker = state.withLock { $0.wakers.removeValue(forKey: key) }
        _ = waker
    }

    private func changed(to revision: Int64) {
        let wakers: [Int: Waker] = state.withLock { state in
            // The first value is the revision of the list at the subscription.
            guard revision > state.revision else { return [:] }
            state.revision = revision
            return state.wakers
        }
        for waker in wakers.values { waker() }
    }
}
