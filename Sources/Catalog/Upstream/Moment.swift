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
