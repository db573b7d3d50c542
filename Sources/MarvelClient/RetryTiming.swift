/// The wait and the random number with which interrupted streams resume. A simulator replaces them.
package struct RetryTiming: Sendable {
    /// Waits, and throws when the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void
    /// Returns a number, evenly distributed in 0..<1, that spreads clients which were interrupted together.
    let random: @Sendable () -> Double

    /// - Parameters:
    ///   - sleep: Waits, and throws when the task is cancelled.
    ///   - random: Returns a random number, evenly distributed in 0..<1.
    package init(
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.sleep = sleep
        self.random = random
    }
}
