internal import RPCCore
internal import Synchronization
internal import WireMessages

/// Concurrent callers with one key share one lookup, which is cancelled when the last caller leaves. A stale cached
/// value is used if the source fails, or is slow.
final class SharedLookup<Value: Sendable, Failure: Error & Equatable>: Sendable {
    typealias Flight = SharedCalls<String, Value, Failure>.Flight

    private let policy: CachePolicy
    private let clock: UpstreamClock
    private let counts: UpstreamCounts
    private let missing: Failure
    private let cancelled: Failure
    private let freshness: @Sendable (Value) -> Freshness?
    private let calls: SharedCalls<String, Value, Failure>

    /// `missing` is the error of a source that no longer has the value.
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

    /// Counts a value that came from a cache.
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

    /// If the source fails, it returns the stale value. It throws if the value no longer exists or the lookup was
    /// cancelled.
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

    /// Ends early with the lookup, or when no caller waits.
    private func fallBack(to stale: @Sendable () -> Value, _ flight: Flight) async {
        guard (try? await clock.sleep(CachePolicy.staleFallbackDelay)) != nil else { return }
        calls.give(stale(), of: flight)
    }

    /// Nil if a caller has no deadline, or no caller waits.
    func timeLeft(of flight: Flight) -> Duration? { calls.timeLeft(of: flight) }

    func cancelAll() { calls.cancelAll() }

    func now() -> Moment { clock.now() }

    func isFresh(from moment: Moment, isNegative: Bool = false) -> Bool {
        policy.isFresh(from: moment, isNegative: isNegative, at: clock.now())
    }

    func freshness(from moment: Moment, isNegative: Bool = false) -> Freshness {
        let age = max(clock.now() - moment, .zero)
        return Freshness(source: .cache, age: age, isStale: !isFresh(from: moment, isNegative: isNegative))
    }

    func countHit() { counts.count(.hit) }
}

package struct CachePolicy: Sendable, Hashable {
    /// Shorter, because a missing character may be added.
    static let negativeTimeToLive = Duration.seconds(600)
    /// The call continues after it, and its answer is kept for the next caller.
    static let staleFallbackDelay = Duration.seconds(1)

    /// Marvel's terms allowed 24 hours.
    package var timeToLive: Duration

    package init(timeToLive: Duration = .seconds(24 * 3_600)) { self.timeToLive = timeToLive }

    /// An answer from the future, from before the clock was corrected, is stale.
    package func isFresh(from moment: Moment, isNegative: Bool = false, at now: Moment) -> Bool {
        let limit = isNegative ? min(CachePolicy.negativeTimeToLive, timeToLive) : timeToLive
        return moment <= now && now - moment < limit
    }
}
