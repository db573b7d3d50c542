/// The wait and the random number with which interrupted streams resume. A simulator replaces them.
package struct RetryTiming: Sendable {
    /// Throws when the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void
    /// Uniform in 0..<1; it spreads clients that were interrupted together.
    let random: @Sendable () -> Double

    /// `sleep` throws when the task is cancelled; `random` returns a number, uniform in 0..<1.
    package init(
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.sleep = sleep
        self.random = random
    }
}
