/// The wait before a retry: a random time up to a bound that doubles with each failure.
///
/// It uses full jitter: callers that failed together do not retry together. The random number is an argument.
package struct Backoff: Sendable, Hashable {
    /// The minimum wait, so that a small random number cannot cause a busy loop.
    package var minimum: Duration
    /// The bound after the first failure.
    package var initial: Duration
    package var maximum: Duration

    package init(minimum: Duration = .milliseconds(10), initial: Duration, maximum: Duration) {
        self.minimum = minimum
        self.initial = initial
        self.maximum = maximum
    }

    /// Returns a time from `minimum` to `maximum`. `failures` counts failures in a row, from 1; `random` is uniform in
    /// 0..<1.
    package func delay(afterFailures failures: Int, random: Double) -> Duration {
        var bound = initial
        for _ in 1..<max(failures, 1) where bound < maximum { bound *= 2 }
        bound = max(min(bound, maximum), minimum)
        return minimum + (bound - minimum) * min(max(random, 0), 1)
    }
}
