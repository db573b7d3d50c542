internal import RPCCore
internal import Synchronization

/// A runner of asynchronous work that runs once for all callers that need its result at the same time.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    private typealias Outcome = Result<Value, Failure>
    private typealias Machine = SingleFlight<Key>

    /// The access of running work to its callers.
    struct Flight: Sendable {
        /// Returns the latest deadline of all callers; nil if one of them has no deadline.
        let deadline: @Sendable () -> Moment?
        /// Gives a preliminary result to all waiting callers, and to those that come before the work is done. The work
        /// continues, even if no caller waits any more.
        let answerEarly: @Sendable (Value) -> Void
    }

    private struct State {
        var machine = Machine()
        var lastWaiter: Machine.Waiter = 0
        var waiters: [Machine.Waiter: CheckedContinuation<Outcome, Never>] = [:]
        var tasks: [Machine.FlightID: StartedTask] = [:]
        var early: [Machine.FlightID: Value] = [:]
    }

    private let cancelled: Failure
    private let counts: UpstreamCounts
    private let runtime: ProcessRuntime
    private let state = Mutex(State())

    /// - Parameters:
    ///   - cancelled: The error for callers whose task is cancelled.
    ///   - counts: The counters of waiting callers.
    ///   - runtime: The tasks of the process.
    init(cancelled: Failure, counts: UpstreamCounts, _ runtime: ProcessRuntime) {
        self.cancelled = cancelled
        self.counts = counts
        self.runtime = runtime
    }

    /// Waits for the result of work that is running, or starts the work.
    ///
    /// - Parameters:
    ///   - key: The key of the work. Work with the same key is shared.
    ///   - deadline: The deadline of this caller; nil if it has none.
    ///   - work: The work, which is started unless it is running. Its task is cancelled when the last caller's task is.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work.
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

    /// Cancels all work. Waiting callers get an error.
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
                state.tasks[id] = runtime.start { [self] in await run(work, id, key) }
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
            // The result of cancelled work is not kept, because nothing would remove it again.
            if state.tasks[id] != nil { state.early[id] = value }
            return state.machine.answeredEarly(id, key).compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in waiters { waiter.resume(returning: .success(value)) }
    }
}

extension SharedWork.Flight {
    /// Gives a stale result to the waiting callers if the work takes longer than `delay`. It returns early when the
    /// task is cancelled, which means that the work is done or that no caller waits any more.
    func fallBack(to stale: @Sendable () -> Value, after delay: Duration, _ clock: UpstreamClock) async {
        guard (try? await clock.sleep(delay)) != nil else { return }
        answerEarly(stale())
    }
}
