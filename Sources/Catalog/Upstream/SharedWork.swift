internal import Synchronization

/// Runs a piece of work once for all who want its result at the same time.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    private typealias Outcome = Result<Value, Failure>
    private typealias Machine = SingleFlight<Key>

    /// What the work may ask and tell while it runs.
    struct Flight: Sendable {
        /// When the last of those who want the result will have gone; nil: there is time.
        let deadline: @Sendable () -> Moment?
        /// Gives this to all who wait, and to those who come before the work is done. The work then goes on by itself.
        let answerEarly: @Sendable (Value) -> Void
    }

    private struct State {
        var machine = Machine()
        var lastWaiter: Machine.Waiter = 0
        var waiters: [Machine.Waiter: CheckedContinuation<Outcome, Never>] = [:]
        var tasks: [Machine.FlightID: Task<Void, Never>] = [:]
        var early: [Machine.FlightID: Value] = [:]
    }

    private let cancelled: Failure
    private let counts: UpstreamCounts
    private let state = Mutex(State())

    /// - Parameters:
    ///   - cancelled: What callers get whose task is cancelled.
    ///   - counts: Is told of those who wait.
    init(cancelled: Failure, counts: UpstreamCounts) {
        self.cancelled = cancelled
        self.counts = counts
    }

    /// - Parameters:
    ///   - key: Work of the same key is shared.
    ///   - deadline: When this caller will have gone.
    ///   - work: Begun unless it is under way. Its task is cancelled when the last caller's is.
    /// - Returns: The result of the work.
    /// - Throws: Its failure.
    func value(
        for key: Key,
        deadline: Moment?,
        _ work: @escaping @Sendable (Flight) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard !Task.isCancelled else { throw cancelled }
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                join(waiter, key, deadline, continuation, work)
                counts.waitBegan()
                // The handler below may have run before there was anything to cancel.
                if Task.isCancelled { leave(waiter, key) }
            }
        } onCancel: {
            leave(waiter, key)
        }
        counts.waitEnded()
        return try outcome.get()
    }

    /// Drops all work; whoever waits for it is told that it was cancelled.
    func cancelAll() {
        let tasks = state.withLock { Array($0.tasks.values) }
        for task in tasks { task.cancel() }
    }

    private func join(
        _ waiter: Machine.Waiter,
        _ key: Key,
        _ deadline: Moment?,
        _ continuation: CheckedContinuation<Outcome, Never>,
        _ work: @escaping @Sendable (Flight) async throws(Failure) -> Value
    ) {
        let early: Value? = state.withLock { state in
            switch state.machine.joined(waiter, key, deadline: deadline) {
            case .begin(let id):
                state.waiters[waiter] = continuation
                state.tasks[id] = Task { await run(work, id, key) }
                return nil
            case .takeEarly(let id) where state.early[id] != nil:
                return state.early[id]
            case .wait, .takeEarly:
                state.waiters[waiter] = continuation
                return nil
            }
        }
        if let early { continuation.resume(returning: .success(early)) }
    }

    private func leave(_ waiter: Machine.Waiter, _ key: Key) {
        let (continuation, task) = state.withLock { state in
            let dropped = state.machine.left(waiter, key)
            let task = dropped.flatMap { state.tasks.removeValue(forKey: $0) }
            return (state.waiters.removeValue(forKey: waiter), task)
        }
        continuation?.resume(returning: .failure(cancelled))
        task?.cancel()
    }

    private func run(
        _ work: @Sendable (Flight) async throws(Failure) -> Value,
        _ id: Machine.FlightID,
        _ key: Key
    ) async {
        let flight = Flight(
            deadline: { [self] in state.withLock { $0.machine.deadline(of: id, key) } },
            answerEarly: { [self] in answerEarly($0, id, key) }
        )
        let outcome: Outcome
        do throws(Failure) {
            outcome = .success(try await work(flight))
        } catch {
            outcome = .failure(error)
        }
        let waiters = state.withLock { state in
            state.tasks[id] = nil
            state.early[id] = nil
            return state.machine.ended(id, key).compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    private func answerEarly(_ value: Value, _ id: Machine.FlightID, _ key: Key) {
        let waiters = state.withLock { state in
            // Not of one that was dropped: nobody would take it away again.
            if state.tasks[id] != nil { state.early[id] = value }
            return state.machine.answeredEarly(id, key).compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in waiters { waiter.resume(returning: .success(value)) }
    }
}
