/// The call rate over time in the open model: constant, or a line whose end is held.
package struct Schedule: Sendable, Hashable {
    /// Calls per second at the start, and from `length` on.
    package let firstRate: Double
    package let lastRate: Double
    /// The time after which the rate is constant; zero for a constant rate.
    package let length: Duration

    /// Makes a schedule with a constant rate: `rate` calls per second, above 0.
    package static func constant(_ rate: Double) -> Schedule {
        Schedule(firstRate: rate, lastRate: rate, length: .zero)
    }

    /// Makes a schedule that changes linearly from `start` to `end`.
    ///
    /// - Parameters:
    ///   - start: Calls per second, 0 or more.
    ///   - end: Calls per second, above 0.
    ///   - length: The length of the change.
    /// - Returns: The schedule; it holds `end` after the change.
    package static func line(from start: Double, to end: Double, over length: Duration) -> Schedule {
        Schedule(firstRate: start, lastRate: end, length: length)
    }

    /// Returns the time at which a call is due.
    ///
    /// - Parameter number: The call's number, from 0.
    /// - Returns: The time from the start; the maximum if the call is too far away.
    package func due(_ number: Int) -> Nanoseconds {
        let (number, seconds) = (Double(number), length.inSeconds)
        let left = number - seconds * (firstRate + lastRate) / 2
        guard left < 0, number > 0 else { return Nanoseconds(seconds: number > 0 ? seconds + left / lastRate : 0) }
        // This solves number = firstRate * t + slope * t² / 2 for t, in the form that also works with a slope of 0.
        let slope = (lastRate - firstRate) / seconds
        let root = max(0, firstRate * firstRate + 2 * slope * number).squareRoot()
        return Nanoseconds(seconds: 2 * number / (firstRate + root))
    }

    /// Returns the calls per second at a time from the start.
    package func rate(at elapsed: Duration) -> Double {
        elapsed < length ? firstRate + (lastRate - firstRate) * (elapsed / length) : lastRate
    }
}
