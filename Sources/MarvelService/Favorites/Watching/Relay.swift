internal import Events
internal import NIOCore
internal import RPCCore
internal import Synchronization

/// A relay of a list's revision to one event loop, once for all watchers on that loop.
///
/// The watchers wait here, without a subscription each: beginning and ending ten thousand subscriptions with every
/// change took two thirds of the time in which the change was sent.
final class Relay: Sendable {
    private struct State {
        var revision: Int64
        var waiting: [Int: Waker] = [:]
        var lastKey = 0
    }

    private let state: Mutex<State>
    private let subscription = Mutex<Subscription?>(nil)

    init(of source: CurrentValueSubject<Int64>, on eventLoop: any EventLoop) {
        state = Mutex(State(revision: source.value))
        let subscription = source.subscribe(on: Delivery { eventLoop.execute($0) }) { [weak self] revision in
            self?.changed(to: revision)
        }
        self.subscription.withLock { $0 = subscription }
    }

    /// - Parameters:
    ///   - waker: Called once, when the list is beyond `revision`.
    ///   - revision: The revision that the watcher has.
    /// - Returns: A function that ends the wait.
    func wake(_ waker: Waker, after revision: Int64) -> @Sendable () -> Void {
        let key: Int? = state.withLock { state in
            guard state.revision <= revision else { return nil }
            state.lastKey += 1
            state.waiting[state.lastKey] = waker
            return state.lastKey
        }
        guard let key else {
            waker()
            return {}
        }
        return { [weak self] in self?.end(key) }
    }

    private func end(_ key: Int) {
        // Releasing a waker may end other waits: not under the lock.
        let waker = state.withLock { $0.waiting.removeValue(forKey: key) }
        _ = waker
    }

    /// Wakes the watchers. A watcher that has the revision already finds that out when it is asked.
    private func changed(to revision: Int64) {
        let woken: [Int: Waker] = state.withLock { state in
            // The first value is the revision of the list at the subscription.
            guard revision > state.revision else { return [:] }
            state.revision = revision
            defer { state.waiting.removeAll() }
            return state.waiting
        }
        for waker in woken.values { waker() }
    }
}
