internal import Catalog
internal import WireMessages

/// A lookup of values in caches and at their source, which concurrent callers with the same key share.
///
/// A fresh value from a cache is used as it is. A stale one is used if the source fails, or does not answer in time.
struct SharedLookup<Value: Sendable, Failure: Error & Equatable>: Sendable {
    typealias Flight = SharedWork<String, Value, Failure>.Flight

    private let policy: CachePolicy
    private let clock: UpstreamClock
    private let counts: UpstreamCounts
    private let missing: Failure
    private let cancelled: Failure
    private let freshness: @Sendable (Value) -> Freshness?
    private let work: SharedWork<String, Value, Failure>

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
        self.work = SharedWork(cancelled: cancelled, counts: counts, clock.runtime)
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
        let value = try await work.value(for: key, deadline: clock.callerDeadline, lookUp)
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
        async let _: Void = flight.fallBack(to: cached, after: policy.staleFallbackDelay, clock)
        do throws(Failure) {
            return try await fetch()
        } catch {
            guard error != missing, error != cancelled else { throw error }
            return cached()
        }
    }

    /// Returns the current time.
    func now() -> Moment { clock.now() }

    /// Checks whether a value of that time is fresh now.
    func isFresh(from moment: Moment, isNegative: Bool = false) -> Bool {
        policy.isFresh(from: moment, isNegative: isNegative, at: clock.now())
    }

    /// Returns the freshness of a cached value of that time.
    func freshness(from moment: Moment, isNegative: Bool = false) -> Freshness {
        policy.freshness(from: moment, isNegative: isNegative, at: clock.now())
    }

    /// Counts a fresh value, or a fresh error, that was found in a cache without a lookup.
    func countHit() { counts.count(.hit) }

    /// Cancels all running lookups.
    func cancelAll() { work.cancelAll() }
}
