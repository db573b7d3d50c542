import MarvelDomain
import Synchronization

/// A gate at which calls wait until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var lastID = 0
        /// They get whether the gate was opened.
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state = Mutex(State())

    func pass() async { _ = await wait(newID()) }

    /// Waits until the gate is opened, or the task is cancelled.
    func passUnlessCancelled() async throws(StoreError) {
        let id = newID()
        let isOpen = await withTaskCancellationHandler {
            await wait(id, endingIf: { Task.isCancelled })
        } onCancel: {
            leave(id)
        }
        guard isOpen else { throw .cancelled }
    }

    func untilWaiting(_ count: Int) async {
        while state.withLock({ $0.waiters.count }) != count { await Task.yield() }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: true) }
    }

    private func newID() -> Int {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    private func wait(_ id: Int, endingIf isOver: @Sendable () -> Bool = { false }) async -> Bool {
        await withCheckedContinuation { waiter in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters[id] = waiter }
                return state.isOpen
            }
            if isOpen { waiter.resume(returning: true) }
            // The task may have been cancelled before it waited.
            if isOver() { leave(id) }
        }
    }

    private func leave(_ id: Int) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: false)
    }
}
