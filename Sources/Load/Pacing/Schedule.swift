/// The call rate over time in the open model: constant, or a line whose end is held.
package struct Schedule: Sendable, Hashable {
    /// Calls per second at the start, and from `length` on.
    package let firstRate: Double
    package let lastRate: Double
    /// The time after which the rate is constant; zero for a constant rate.
    package let length: Duration

    /// `rate` is in calls per second, above 0.
    package static func constant(_ rate: Double) -> Schedule {
        Schedule(firstRate: rate, lastRate: rate, length: .zero)
    }

    /// A schedule that changes linearly and then holds `end`. The rates are in calls per second; `start` is 0 or more,
    /// `end` above 0.
    package static func line(from start: Double, to end: Double, over length: Duration) -> Schedule {
        Schedule(firstRate: start, lastRate: end, length: length)
    }

    /// The due time of a call after the start; the maximum if it is too far away. `number` counts from 0.
    package func due(_ number: Int) -> Nanoseconds {
        let (number, seconds) = (Double(number), length.inSeconds)
        let left = number - seconds * (firstRate + lastRate) / 2
        guard left < 0, number > 0 else { return Nanoseconds(seconds: number > 0 ? seconds + left / lastRate : 0) }
        // Solves number = firstRate * t + slope * t² / 2 for t. This form also works with a slope of 0.
        let slope = (lastRate - firstRate) / seconds
        let root = max(0, firstRate * firstRate + 2 * slope * number).squareRoot()
        return Nanoseconds(seconds: 2 * number / (firstRate + root))
    }

    /// In calls per second.
    package func rate(at elapsed: Duration) -> Double {
        elapsed < length ? firstRate + (lastRate - firstRate) * (elapsed / length) : lastRate
    }
}
