internal import RPCCore
internal import Synchronization
internal import WireMessages

/// A lookup of values in caches and at their source. Concurrent callers with the same key share one lookup, which is
/// cancelled when the last of them has left.
///
/// A fresh value from a cache is used as it is. A stale one is used if the source fails, or does not answer in time.
final class SharedLookup<Value: Sendable, Failure: Error & Equatable>: Sendable {
    private typealias Outcome = Result<Value, Failure>
    private typealias Waiter = UInt64
    private typealias Waiters = [Waiter: CheckedContinuation<Outcome, Never>]

    /// A running lookup. A later one with the same key has another id.
    struct Flight: Sendable {
        fileprivate let key: String
        fileprivate let id: UInt64
    }

    private struct Running {
        let id: UInt64
        var task: StartedTask
        var waiters: Waiters = [:]
        /// The latest deadline of all callers that ever waited; nil if one of them had no deadline.
        var deadline: Moment?
        /// A stale value that callers get at once. The lookup continues, even if no caller waits any more.
        var early: Value?
    }

    private struct State {
        var running: [String: Running] = [:]
        var lastID: UInt64 = 0

        /// Returns a lookup; nil if it was dropped, or has ended.
        subscript(flight: Flight) -> Running? {
            running[flight.key].flatMap { $0.id == flight.id ? $0 : nil }
        }

        mutating func nextID() -> UInt64 {
            lastID += 1
            return lastID
        }
    }

    private let policy: CachePolicy
    private let clock: UpstreamClock
    private let counts: UpstreamCounts
    private let missing: Failure
    private let cancelled: Failure
    private let freshness: @Sendable (Value) -> Freshness?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - policy: The times for which values are fresh.
    ///   - clock: The clock for ages, timeouts and deadlines.
    ///   - counts: The counters of cache hits and of waiting callers.
    ///   - missing: The error of a source that no longer has the value.
    ///   - cancelled: The error for callers whose task is cancelled.
    ///   - freshness: Returns the freshness of a value; nil if it has none.
    init(
        policy: CachePolicy,
        clock: UpstreamClock,
        counts: UpstreamCounts,
        missing: Failure,
        cancelled: Failure,
        freshness: @escaping @Sendable (Value) -> Freshness?
    ) {
        self.policy = policy
        self.clock = clock
        self.counts = counts
        self.missing = missing
        self.cancelled = cancelled
        self.freshness = freshness
    }

    /// Waits for the value of a lookup that is running, or starts one, and counts a value that came from a cache.
    ///
    /// - Parameters:
    ///   - key: The key of the value.
    ///   - lookUp: The lookup, which is started unless one with the same key is running.
    /// - Returns: The value.
    /// - Throws: The error of the lookup.
    func value(
        for key: String,
        _ lookUp: @escaping @Sendable (Flight) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard !Task.isCancelled else { throw cancelled }
        let waiter = state.withLock { $0.nextID() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                join(key, waiter, continuation, lookUp)
                counts.waitersChanged(by: 1)
                // The handler below may have run before there was anything to cancel.
                if Task.isCancelled { leave(key, waiter) }
            }
        } onCancel: {
            leave(key, waiter)
        }
        counts.waitersChanged(by: -1)
        let value = try outcome.get()
        if let freshness = freshness(value), freshness.source == .cache {
            counts.count(freshness.isStale ? .stale : .hit)
        }
        return value
    }

    /// Returns a cached value, if it is fresh, or else that of the source.
    ///
    /// - Parameters:
    ///   - cached: Returns the cached value with its freshness at this time.
    ///   - flight: The running lookup.
    ///   - fetch: Asks the source.
    /// - Returns: The value.
    /// - Throws: The error of `fetch` if the value no longer exists or the lookup was cancelled. With any other error the
    ///   cached value is returned.
    func confirm(
        _ cached: @escaping @Sendable () -> Value,
        _ flight: Flight,
        _ fetch: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let value = cached()
        guard freshness(value)?.isStale == true else { return value }
        async let _: Void = fallBack(to: cached, flight)
        do throws(Failure) {
            return try await fetch()
        } catch {
            guard error != missing, error != cancelled else { throw error }
            return cached()
        }
    }

    /// Returns the latest deadline of a lookup's callers; nil if one of them has none, or nobody waits any more.
    func deadline(of flight: Flight) -> Moment? {
        state.withLock { $0[flight]?.deadline }
    }

    /// Cancels all running lookups. Waiting callers get an error.
    func cancelAll() {
        let tasks = state.withLock { $0.running.values.map(\.task) }
        for task in tasks { task.cancel() }
    }

    // MARK: Times and counters

    /// Returns the current time.
    func now() -> Moment { clock.now() }

    /// Checks whether a value of that time is fresh now.
    func isFresh(from moment: Moment, isNegative: Bool = false) -> Bool {
        policy.isFresh(from: moment, isNegative: isNegative, at: clock.now())
    }

    /// Returns the freshness of a cached value of that time.
    func freshness(from moment: Moment, isNegative: Bool = false) -> Freshness {
        let age = max(clock.now() - moment, .zero)
        return Freshness(source: .cache, age: age, isStale: !isFresh(from: moment, isNegative: isNegative))
    }

    /// Counts a fresh value, or a fresh error, that was found in a cache without a lookup.
    func countHit() { counts.count(.hit) }

    // MARK: Callers

    private func join(
        _ key: String,
        _ waiter: Waiter,
        _ continuation: CheckedContinuation<Outcome, Never>,
        _ lookUp: @escaping @Sendable (Flight) async throws(Failure) -> Value
    ) {
        let deadline = clock.callerDeadline
        let early: Value? = state.withLock { state in
            if var running = state.running[key] {
                if let early = running.early { return early }
                running.waiters[waiter] = continuation
                running.deadline = running.deadline.flatMap { old in deadline.map { max(old, $0) } }
                state.running[key] = running
                return nil
            }
            let flight = Flight(key: key, id: state.nextID())
            let task = clock.runtime.start { [self] in await run(flight, lookUp) }
            state.running[key] = Running(
                id: flight.id,
                task: task,
                waiters: [waiter: continuation],
                deadline: deadline
            )
            return nil
        }
        if let early { continuation.resume(returning: .success(early)) }
    }

    private func leave(_ key: String, _ waiter: Waiter) {
        let (continuation, task): (CheckedContinuation<Outcome, Never>?, StartedTask?) = state.withLock { state in
            guard let continuation = state.running[key]?.waiters.removeValue(forKey: waiter) else { return (nil, nil) }
            let isLast = state.running[key]?.waiters.isEmpty == true
            return (continuation, isLast ? state.running.removeValue(forKey: key)?.task : nil)
        }
        continuation?.resume(returning: .failure(cancelled))
        task?.cancel()
    }

    private func run(_ flight: Flight, _ lookUp: @Sendable (Flight) async throws(Failure) -> Value) async {
        let outcome: Outcome
        do throws(Failure) {
            outcome = .success(try await lookUp(flight))
        } catch {
            outcome = .failure(error)
        }
        let waiters = state.withLock { state in
            guard let running = state[flight] else { return [:] as Waiters }
            state.running[flight.key] = nil
            return running.waiters
        }
        for waiter in waiters.values { waiter.resume(returning: outcome) }
    }

    /// Gives a stale value to the waiting callers if the lookup takes long. It ends early when the lookup has ended, or
    /// no caller waits any more.
    private func fallBack(to stale: @Sendable () -> Value, _ flight: Flight) async {
        guard (try? await clock.sleep(CachePolicy.staleFallbackDelay)) != nil else { return }
        let value = stale()
        let waiters = state.withLock { state in
            guard var running = state[flight] else { return [:] as Waiters }
            let waiters = running.waiters
            (running.waiters, running.early) = ([:], value)
            state.running[flight.key] = running
            return waiters
        }
        for waiter in waiters.values { waiter.resume(returning: .success(value)) }
    }
}

/// The times for which cached answers of a gateway are fresh.
package struct CachePolicy: Sendable, Hashable {
    /// The time for which a "not found" is used without a new call. It is shorter, because a missing character may be
    /// added.
    static let negativeTimeToLive = Duration.seconds(600)
    /// The time after which a caller gets a stale answer if the gateway has not answered yet. The call continues, and
    /// its answer is kept for the next caller.
    static let staleFallbackDelay = Duration.seconds(1)

    /// The time for which an answer is used without a new call. Marvel's terms allowed 24 hours. With 0, each answer is
    /// confirmed by the gateway before it is used again.
    package var timeToLive: Duration

    package init(timeToLive: Duration = .seconds(24 * 3_600)) { self.timeToLive = timeToLive }

    /// Checks whether an answer is fresh.
    ///
    /// - Parameters:
    ///   - moment: The time of the answer.
    ///   - isNegative: Whether the answer is a "not found".
    ///   - now: The current time.
    /// - Returns: Whether the answer is fresh. An answer from the future, from before the clock was corrected, is not.
    package func isFresh(from moment: Moment, isNegative: Bool = false, at now: Moment) -> Bool {
        let limit = isNegative ? min(CachePolicy.negativeTimeToLive, timeToLive) : timeToLive
        return moment <= now && now - moment < limit
    }
}
