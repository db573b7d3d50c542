internal import NIOCore
internal import RPCCore

/// A clock and a source of random numbers for calls to a gateway. Tests replace both.
package struct UpstreamClock: Sendable {
    /// Returns the current time, which never goes back within a process.
    package let now: @Sendable () -> Moment
    /// Waits for a time. Throws when the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// Returns a random number, evenly distributed in 0..<1.
    package let random: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Moment,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
    }

    /// Creates a clock that reads the system's time of day once, so that later changes of the system's clock have no
    /// effect.
    ///
    /// - Parameter timeOfDay: The current time.
    package init(startingAt timeOfDay: Moment) {
        let start = ContinuousClock.now
        self.init(
            now: { timeOfDay + (ContinuousClock.now - start) },
            sleep: { try await Task.sleep(for: $0) },
            random: { Double.random(in: 0..<1) }
        )
    }

    /// The deadline of the call for which the current task works; nil if it has none.
    var callerDeadline: Moment? {
        CallDeadline.current.map { now() + Duration($0 - .now()) }
    }
}
