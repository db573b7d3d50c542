/// The waits between attempts: twice as long each time up to a maximum, and random, so that servers which lost the same
/// database do not come back in step.
struct Backoff {
    private let first: Duration
    private let maximum: Duration
    private var failureCount = 0

    init(first: Duration = .milliseconds(25), maximum: Duration = .milliseconds(800)) {
        self.first = first
        self.maximum = maximum
    }

    /// Returns the wait after another failure.
    ///
    /// - Parameter fraction: A random number, 0 to 1.
    /// - Returns: Half of the full wait to all of it.
    mutating func next(_ fraction: Double = .random(in: 0...1)) -> Duration {
        let full = min(first * (1 << min(failureCount, 16)), maximum)
        failureCount += 1
        return full / 2 + full / 2 * fraction
    }

    mutating func reset() { failureCount = 0 }
}
