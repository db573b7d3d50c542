/// How long to wait before trying again: twice as long after each failure, up to a limit, and any part of that (full
/// jitter), so that many who failed together do not come back together.
package struct Backoff: Sendable, Hashable {
    /// The longest wait before the first repeat.
    package var initial: Duration
    /// The longest wait of all.
    package var maximum: Duration

    package init(initial: Duration = .milliseconds(100), maximum: Duration = .seconds(10)) {
        self.initial = initial
        self.maximum = maximum
    }

    /// - Parameters:
    ///   - failures: How many there were in a row, 1 or more.
    ///   - random: 0 to 1, drawn anew each time.
    /// - Returns: The wait.
    package func delay(afterFailures failures: Int, random: Double) -> Duration {
        // From 2^40 on every product is beyond the limit.
        let doublings = min(max(failures - 1, 0), 40)
        let longest = min(initial * (1 << doublings), maximum)
        return longest * random
    }
}
