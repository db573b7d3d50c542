internal import NIOCore
internal import RPCCore

/// Time and chance, for what talks to a gateway: the program gives the real ones, a test its own.
package struct UpstreamClock: Sendable {
    /// Never goes back while the process lives.
    package let now: @Sendable () -> Moment
    /// Throws when its task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// Evenly distributed in 0..<1.
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

    /// The time of day is looked at once: whatever becomes of it later, nothing here gets older or younger by it.
    ///
    /// - Parameter timeOfDay: Now.
    package init(startingAt timeOfDay: Moment) {
        let start = ContinuousClock.now
        self.init(
            now: { timeOfDay + (ContinuousClock.now - start) },
            sleep: { try await Task.sleep(for: $0) },
            random: { Double.random(in: 0..<1) }
        )
    }

    /// When the call must have ended that this task works for; nil if it may take its time.
    var callerDeadline: Moment? {
        CallDeadline.current.map { now() + Duration($0 - .now()) }
    }
}
