internal import NIOCore
internal import Synchronization

/// Work that callers share: a caller joins the running work for its key.
///
/// The work is a separate task, so cancelling a caller ends only its wait. When the last caller has left, the work is
/// cancelled. It counts until it has ended, but the next caller begins another one.
///
/// It has one lock, under which nothing else is called.
package final class SharedCalls<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    private typealias Outcome = Result<Value, Failure>
    private typealias Waiters = [UInt64: CheckedContinuation<Outcome, Never>]

    /// Running work. Later work with the same key has another id.
    package struct Flight: Sendable {
        fileprivate let key: Key
        fileprivate let id: UInt64
    }

    private struct Running {
        let id: UInt64
        var task: StartedTask?
        var isCancelled = false
        var waiters: Waiters
        /// The latest deadline of all callers that ever waited; nil if one of them had no deadline.
        var deadline: NIODeadline?
        /// A value for later callers. The work continues, even without callers.
        var early: Value?
    }

    private struct State {
        var running: [Key: Running] = [:]
        /// The tasks that have not ended, including cancelled ones.
        var count = 0
        var lastID: UInt64 = 0

        /// Nil if the work was dropped, or has ended.
        subscript(flight: Flight) -> Running? {
            running[flight.key].flatMap { $0.id == flight.id ? $0 : nil }
        }

        mutating func nextID() -> UInt64 {
            lastID += 1
            return lastID
        }
    }

    private enum OnJoin {
        case begin(Flight)
        case wait
        case answer(Outcome)
    }

    private let maximumCount: Int
    private let overloaded: Failure
    private let cancelled: Failure
    private let runtime: ProcessRuntime
    private let onWaitersChanged: @Sendable (_ change: Int) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - maximumCount: The maximum number of concurrent tasks. Further work is refused.
    ///   - overloaded: The error of refused work.
    ///   - cancelled: The error of a caller whose task is cancelled.
    ///   - runtime: The tasks of the process, and the clock of deadlines.
    ///   - onWaitersChanged: Called with 1 when a caller begins to wait, and with -1 when it stops.
    package init(
        maximumCount: Int = .max,
        overloaded: Failure,
        cancelled: Failure,
        _ runtime: ProcessRuntime,
        onWaitersChanged: @escaping @Sendable (_ change: Int) -> Void = { _ in }
    ) {
        self.maximumCount = maximumCount
        self.overloaded = overloaded
        self.cancelled = cancelled
        self.runtime = runtime
        self.onWaitersChanged = onWaitersChanged
    }

    package var count: Int { state.withLock(\.count) }

    package var waitingCount: Int { state.withLock { $0.running.values.reduce(0) { $0 + $1.waiters.count } } }

    /// Waits for the work with a key, and begins it unless it is running. The value may be as old as the beginning of
    /// another caller's work.
    ///
    /// - Throws: The error of the work, or one of those of the initializer.
    package func value(
        for key: Key,
        _ work: @escaping @Sendable (Flight) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard !Task.isCancelled else { throw cancelled }
        let waiter = state.withLock { $0.nextID() }
        let deadline = CallDeadline.current
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                switch state.withLock({ join(&$0, key, waiter, continuation, deadline) }) {
                case .begin(let flight): begin(flight, work)
                case .wait: break
                case .answer(let outcome): continuation.resume(returning: outcome)
                }
                onWaitersChanged(1)
                // The handler below may have run before there was anything to cancel.
                if Task.isCancelled { leave(key, waiter) }
            }
        } onCancel: {
            leave(key, waiter)
        }
        onWaitersChanged(-1)
        return try outcome.get()
    }

    /// The time until the latest deadline of the callers; nil if one of them has none, or all have left.
    package func timeLeft(of flight: Flight) -> Duration? {
        state.withLock { $0[flight]?.deadline }.map { Duration($0 - runtime.now()) }
    }

    /// Gives a value to all current and later callers, while the work continues.
    package func give(_ value: Value, of flight: Flight) {
        let waiters = state.withLock { state in
            guard var running = state[flight] else { return [:] as Waiters }
            let waiters = running.waiters
            (running.waiters, running.early) = ([:], value)
            state.running[flight.key] = running
            return waiters
        }
        for waiter in waiters.values { waiter.resume(returning: .success(value)) }
    }

    package func cancelAll() {
        let tasks = state.withLock { state in
            for key in state.running.keys { state.running[key]?.isCancelled = true }
            return state.running.values.compactMap(\.task)
        }
        for task in tasks { task.cancel() }
    }

    private func join(
        _ state: inout State,
        _ key: Key,
        _ waiter: UInt64,
        _ continuation: CheckedContinuation<Outcome, Never>,
        _ deadline: NIODeadline?
    ) -> OnJoin {
        if var running = state.running[key] {
            if let early = running.early { return .answer(.success(early)) }
            running.waiters[waiter] = continuation
            running.deadline = running.deadline.flatMap { old in deadline.map { max(old, $0) } }
            state.running[key] = running
            return .wait
        }
        guard state.count < maximumCount else { return .answer(.failure(overloaded)) }
        state.count += 1
        let flight = Flight(key: key, id: state.nextID())
        state.running[key] = Running(id: flight.id, waiters: [waiter: continuation], deadline: deadline)
        return .begin(flight)
    }

    private func begin(_ flight: Flight, _ work: @escaping @Sendable (Flight) async throws(Failure) -> Value) {
        let task = runtime.start { [self] in await run(flight, work) }
        let isOver = state.withLock { state in
            guard let running = state[flight] else { return true }
            state.running[flight.key]?.task = task
            return running.isCancelled
        }
        if isOver { task.cancel() }
    }

    private func run(_ flight: Flight, _ work: @Sendable (Flight) async throws(Failure) -> Value) async {
        let outcome: Outcome
        do throws(Failure) {
            outcome = .success(try await work(flight))
        } catch {
            outcome = .failure(error)
        }
        let waiters = state.withLock { state in
            state.count -= 1
            guard let running = state[flight] else { return [:] as Waiters }
            state.running[flight.key] = nil
            return running.waiters
        }
        for waiter in waiters.values { waiter.resume(returning: outcome) }
    }

    private func leave(_ key: Key, _ waiter: UInt64) {
        let (continuation, task): (CheckedContinuation<Outcome, Never>?, StartedTask?) = state.withLock { state in
            guard let continuation = state.running[key]?.waiters.removeValue(forKey: waiter) else { return (nil, nil) }
            let isLast = state.running[key]?.waiters.isEmpty == true
            return (continuation, isLast ? state.running.removeValue(forKey: key)?.task : nil)
        }
        continuation?.resume(returning: .failure(cancelled))
        task?.cancel()
    }
}
