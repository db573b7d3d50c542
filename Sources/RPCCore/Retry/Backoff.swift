/// How long to wait before trying again: a bound that doubles with each failure, and any time up to it.
///
/// Full jitter: callers that failed together do not come back together. Chance is an argument, as time is elsewhere.
package struct Backoff: Sendable, Hashable {
    /// No wait is shorter, so that chance cannot turn a retry into a loop.
    package var minimum: Duration
    /// The bound after the first failure.
    package var initial: Duration
    /// What the bound grows to.
    package var maximum: Duration

    package init(minimum: Duration = .milliseconds(10), initial: Duration, maximum: Duration) {
        self.minimum = minimum
        self.initial = initial
        self.maximum = maximum
    }

    /// - Parameters:
    ///   - failures: How many there were in a row, from 1.
    ///   - random: Evenly distributed in 0..<1.
    /// - Returns: A time from `minimum` to `maximum`.
    package func delay(afterFailures failures: Int, random: Double) -> Duration {
        var bound = initial
        for _ in 1..<max(failures, 1) where bound < maximum { bound *= 2 }
        bound = max(min(bound, maximum), minimum)
        return minimum + (bound - minimum) * min(max(random, 0), 1)
    }
}
