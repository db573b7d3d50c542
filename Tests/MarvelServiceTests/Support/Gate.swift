import MarvelDomain
import Synchronization

/// A gate at which calls wait until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var lastID = 0
        var waiters: [Int: AsyncStream<Never>.Continuation] = [:]
    }

    private let state = Mutex(State())

    func pass() async { await Task { await wait() }.value }

    /// Waits until the gate is opened, or the task is cancelled.
    func passUnlessCancelled() async throws(StoreError) {
        await wait()
        guard state.withLock(\.isOpen) else { throw .cancelled }
    }

    func untilWaiting(_ count: Int) async {
        while state.withLock({ $0.waiters.count }) != count { await Task.yield() }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            return state.waiters.values
        }
        for waiter in waiters { waiter.finish() }
    }

    private func wait() async {
        let (opening, waiter) = AsyncStream.makeStream(of: Never.self)
        let id: Int? = state.withLock { state in
            guard !state.isOpen else { return nil }
            state.lastID += 1
            state.waiters[state.lastID] = waiter
            return state.lastID
        }
        guard let id else { return }
        for await _ in opening {}
        state.withLock { $0.waiters[id] = nil }
    }
}
