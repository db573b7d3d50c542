package import RPCCore

package struct UpstreamClock: Sendable {
    /// Never goes back within a process.
    package let now: @Sendable () -> Moment
    /// Throws when the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// Uniform in 0..<1.
    package let random: @Sendable () -> Double
    var runtime = ProcessRuntime.system
}

extension UpstreamClock {
    /// Later changes of the system's clock have no effect.
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

/// It can be stored on disk, unlike the instants of a `ContinuousClock`.
package struct Moment: InstantProtocol, Hashable {
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

    /// The milliseconds since 1970, saturating.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = sinceEpoch.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return overflow ? (seconds < 0 ? .min : .max) : whole &+ attoseconds / 1_000_000_000_000_000
    }

    package var minute: Int64 { sinceEpoch.components.seconds / 60 }
}
