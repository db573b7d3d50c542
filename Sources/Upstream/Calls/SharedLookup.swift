internal import RPCCore
internal import Synchronization
internal import WireMessages

/// A lookup of values in caches and at their source. Concurrent callers with the same key share one lookup, which is
/// cancelled when the last of them has left.
///
/// A fresh value from a cache is used as it is. A stale one is used if the source fails, or does not answer in time.
final class SharedLookup<Value: Sendable, Failure: Error & Equatable>: Sendable {
    typealias Flight = SharedCalls<String, Value, Failure>.Flight

    private let policy: CachePolicy
    private let clock: UpstreamClock
    private let counts: UpstreamCounts
    private let missing: Failure
    private let cancelled: Failure
    private let freshness: @Sendable (Value) -> Freshness?
    private let calls: SharedCalls<String, Value, Failure>

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
        calls = SharedCalls(overloaded: cancelled, cancelled: cancelled, clock.runtime) {
            counts.waitersChanged(by: $0)
        }
    }

    /// Waits for the value of a lookup that is running, or starts one, and counts a value that came from a cache.
    func value(
        for key: String,
        _ lookUp: @escaping @Sendable (Flight) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let value = try await calls.value(for: key, lookUp)
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

    /// Gives a stale value to the waiting callers if the lookup takes long. It ends early when the lookup has ended, or
    /// no caller waits any more.
    private func fallBack(to stale: @Sendable () -> Value, _ flight: Flight) async {
        guard (try? await clock.sleep(CachePolicy.staleFallbackDelay)) != nil else { return }
        calls.give(stale(), of: flight)
    }

    /// Returns the time that the callers of a lookup have left; nil if one of them has no deadline, or nobody waits.
    func timeLeft(of flight: Flight) -> Duration? { calls.timeLeft(of: flight) }

    /// Cancels all running lookups. Waiting callers get an error.
    func cancelAll() { calls.cancelAll() }

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
