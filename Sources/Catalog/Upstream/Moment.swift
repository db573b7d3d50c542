/// A point in time that outlives the process: what is kept on disk is dated with it.
package struct Moment: InstantProtocol, Hashable {
    /// Since 1970-01-01T00:00:00Z.
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

    /// Since 1970, rounded down to thousandths of a second.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = sinceEpoch.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return overflow ? (seconds < 0 ? .min : .max) : whole &+ attoseconds / 1_000_000_000_000_000
    }

    /// Whole minutes since 1970.
    package var minute: Int64 { sinceEpoch.components.seconds / 60 }
}
