internal import WireMessages

/// The times for which cached answers of a gateway are fresh.
package struct CachePolicy: Sendable, Hashable {
    /// The time for which an answer is used without a new call. Marvel's terms allowed 24 hours. With 0, each answer is
    /// confirmed by the gateway before it is used again.
    package var timeToLive: Duration
    /// The time for which a "not found" is used without a new call. It is shorter, because a missing character may be
    /// added.
    package var negativeTimeToLive: Duration
    /// The time after which a caller gets a stale answer if the gateway has not answered yet. The call continues, and
    /// its answer is kept for the next caller.
    package var staleFallbackDelay: Duration

    package init(
        timeToLive: Duration = .seconds(24 * 3_600),
        negativeTimeToLive: Duration = .seconds(600),
        staleFallbackDelay: Duration = .seconds(1)
    ) {
        self.timeToLive = timeToLive
        self.negativeTimeToLive = negativeTimeToLive
        self.staleFallbackDelay = staleFallbackDelay
    }

    /// Checks whether an answer is fresh.
    ///
    /// - Parameters:
    ///   - moment: The time of the answer.
    ///   - isNegative: Whether the answer is a "not found".
    ///   - now: The current time.
    /// - Returns: Whether the answer is fresh. An answer from the future, from before the clock was corrected, is not.
    package func isFresh(from moment: Moment, isNegative: Bool = false, at now: Moment) -> Bool {
        let limit = isNegative ? min(negativeTimeToLive, timeToLive) : timeToLive
        return moment <= now && now - moment < limit
    }

    /// Returns the freshness of a cached answer.
    ///
    /// - Parameters:
    ///   - moment: The time of the answer.
    ///   - isNegative: Whether the answer is a "not found".
    ///   - now: The current time.
    /// - Returns: The freshness, as callers are told.
    func freshness(from moment: Moment, isNegative: Bool = false, at now: Moment) -> Freshness {
        let isStale = !isFresh(from: moment, isNegative: isNegative, at: now)
        return Freshness(source: .cache, age: max(now - moment, .zero), isStale: isStale)
    }
}
