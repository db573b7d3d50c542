internal import NIOCore
internal import RPCCore
internal import Synchronization

/// One task of each event loop wakes all of its connections.
final class Wakers: Sendable {
    private struct Loop {
        let eventLoop: any EventLoop
        var wakers: [Int: Waker] = [:]
        var isScheduled = false
    }

    private struct State {
        var loops: [ObjectIdentifier: Loop] = [:]
        var lastKey = 0
    }

    private let state = Mutex(State())

    /// `waker` is called after each `wake` from now on, perhaps once for several. Returns a function that removes it.
    func add(_ waker: Waker) -> @Sendable () -> Void {
        let id = ObjectIdentifier(waker.eventLoop)
        let key = state.withLock { state in
            state.lastKey += 1
            state.loops[id, default: Loop(eventLoop: waker.eventLoop)].wakers[state.lastKey] = waker
            return state.lastKey
        }
        return { [weak self] in
            // Releasing the waker may end its connection, and so other watches: not under the lock.
            let waker = self?.state.withLock { $0.loops[id]?.wakers.removeValue(forKey: key) }
            _ = waker
        }
    }

    func wake() {
        let loops = state.withLock { state in
            let idle = state.loops.filter { !$0.value.isScheduled && !$0.value.wakers.isEmpty }
            for id in idle.keys { state.loops[id]?.isScheduled = true }
            return idle.mapValues(\.eventLoop)
        }
        for (id, eventLoop) in loops { eventLoop.execute { [weak self] in self?.wake(id) } }
    }

    private func wake(_ id: ObjectIdentifier) {
        let wakers = state.withLock { state in
            state.loops[id]?.isScheduled = false
            return state.loops[id]?.wakers ?? [:]
        }
        for waker in wakers.values { waker() }
    }
}
