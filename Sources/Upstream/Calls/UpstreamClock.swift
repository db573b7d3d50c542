package import RPCCore

/// A clock and a source of random numbers for calls to a gateway, and the tasks that make them. Tests replace them.
package struct UpstreamClock: Sendable {
    /// Returns the current time, which never goes back within a process.
    package let now: @Sendable () -> Moment
    /// Waits for a time. Throws when the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// Returns a random number, evenly distributed in 0..<1.
    package let random: @Sendable () -> Double
    /// The tasks of the process, and the clock of callers' deadlines.
    var runtime = ProcessRuntime.system
}

extension UpstreamClock {
    /// Creates a clock that reads the system's time of day once, so that later changes of the system's clock have no
    /// effect.
    ///
    /// - Parameters:
    ///   - timeOfDay: The current time.
    ///   - runtime: The clocks and the tasks of the process.
    package init(startingAt timeOfDay: Moment, runtime: ProcessRuntime = .system) {
        let start = runtime.instant()
        self.init(
            now: { timeOfDay + (runtime.instant() - start) },
            sleep: { try await Task.sleep(for: $0) },
            random: { Double.random(in: 0..<1) },
            runtime: runtime
        )
    }
}

/// A point in time that can be stored on disk, unlike the instants of a `ContinuousClock`.
package struct Moment: InstantProtocol, Hashable {
    /// The time since 1970-01-01T00:00:00Z.
    package var sinceEpoch: Duration

    package init(sinceEpoch: Duration) { self.sinceEpoch = sinceEpoch }

    package func advanced(by duration: Duration) -> Moment { Moment(sinceEpoch: sinceEpoch + duration) }
    package func duration(to other: Moment) -> Duration { other.sinceEpoch - sinceEpoch }
    package static func < (left: Moment, right: Moment) -> Bool { left.sinceEpoch < right.sinceEpoch }

    package static func + (moment: Moment, duration: Duration) -> Moment { moment.advanced(by: duration) }
    package static func - (moment: Moment, duration: Duration) -> Moment { moment.advanced(by: .zero - duration) }
    package static func - (end: Moment, start: Moment) -> Duration { start.duration(to: end) }
}

extension Moment {
    package init(milliseconds: Int64) { self.init(sinceEpoch: .milliseconds(milliseconds)) }

    /// The milliseconds since 1970, rounded down.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = sinceEpoch.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return overflow ? (seconds < 0 ? .min : .max) : whole &+ attoseconds / 1_000_000_000_000_000
    }

    /// The whole minutes since 1970.
    package var minute: Int64 { sinceEpoch.components.seconds / 60 }
}
