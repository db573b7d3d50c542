/// How many calls are due when, in the open model: a rate that stays, climbs in steps, or follows a line.
///
/// A schedule is a row of segments in each of which the rate changes evenly (or not at all), and a rate that holds after
/// the last one. So the n-th call's time is one formula.
package struct Schedule: Sendable, Hashable {
    private struct Segment: Sendable, Hashable {
        /// Where it begins: the time, and how many calls were due before.
        var start: Double
        var callsBefore: Double
        /// Calls per second at its beginning and at its end.
        var firstRate: Double
        var lastRate: Double
        /// In seconds; the last segment has no end.
        var length: Double

        var calls: Double { length * (firstRate + lastRate) / 2 }
    }

    /// The schedule as it was asked for.
    package enum Shape: Sendable, Hashable {
        case constant(rate: Double)
        case steps(from: Double, to: Double, by: Double, each: Duration)
        case line(from: Double, to: Double, over: Duration)
    }

    package let shape: Shape
    /// Never empty; the last holds for ever.
    private var segments: [Segment] = []

    /// When the changes are over; zero for a rate that stays.
    package var length: Duration { .nanoseconds(Nanoseconds(seconds: segments.last?.start ?? 0)) }

    private init(
        _ shape: Shape,
        _ changes: [(firstRate: Double, lastRate: Double, length: Double)] = [],
        thenHolding rate: Double
    ) {
        self.shape = shape
        var (time, calls) = (0.0, 0.0)
        for change in changes + [(rate, rate, .infinity)] {
            let segment = Segment(
                start: time,
                callsBefore: calls,
                firstRate: change.firstRate,
                lastRate: change.lastRate,
                length: change.length
            )
            segments.append(segment)
            time += segment.length
            calls += segment.calls
        }
    }

    /// One rate that stays: `rate` calls per second, above 0.
    package static func constant(_ rate: Double) -> Schedule {
        Schedule(.constant(rate: rate), thenHolding: rate)
    }

    /// Stays at `start` for a while, then at `start + step`, and so on, the last time at `end`.
    ///
    /// - Parameters:
    ///   - start: Calls per second, above 0.
    ///   - end: Calls per second, above 0; lower than `start` for steps downwards.
    ///   - step: The size of a step, above 0.
    ///   - each: How long a step lasts.
    /// - Returns: The schedule; it holds `end` after the last step.
    package static func steps(from start: Double, to end: Double, by step: Double, each: Duration) -> Schedule {
        let count = Int((abs(end - start) / step).rounded(.up))
        let rates = (0...count).map { number in
            number == count ? end : start + (end < start ? -step : step) * Double(number)
        }
        let shape = Shape.steps(from: start, to: end, by: step, each: each)
        return Schedule(shape, rates.map { ($0, $0, each.inSeconds) }, thenHolding: end)
    }

    /// Changes evenly from `start` to `end`.
    ///
    /// - Parameters:
    ///   - start: Calls per second, 0 or more.
    ///   - end: Calls per second, above 0.
    ///   - length: How long the change takes.
    /// - Returns: The schedule; it holds `end` after the change.
    package static func line(from start: Double, to end: Double, over length: Duration) -> Schedule {
        let shape = Shape.line(from: start, to: end, over: length)
        return Schedule(shape, [(start, end, length.inSeconds)], thenHolding: end)
    }

    /// The rates of a schedule in steps, in calls per second; empty if the rate stays or follows a line.
    package var stepRates: [Double] {
        guard case .steps = shape else { return [] }
        return segments.dropLast().map(\.firstRate)
    }

    /// The step that a call due at a time after the start belongs to; the last one holds for ever.
    package func step(at due: Nanoseconds) -> Int? {
        guard case .steps(_, _, _, let each) = shape else { return nil }
        return min(Int(max(due, 0) / max(each.inNanoseconds, 1)), segments.count - 2)
    }

    /// When a call is due.
    ///
    /// - Parameter number: The call's, from 0.
    /// - Returns: Time from the start; the end of time if it is too far away to count.
    package func due(_ number: Int) -> Nanoseconds {
        let number = Double(number)
        let segment = segments[lastIndex { $0.callsBefore <= number }]
        let calls = number - segment.callsBefore
        guard calls > 0 else { return Nanoseconds(seconds: segment.start) }
        // calls = firstRate * t + slope * t² / 2, solved for t in the form that also works where the slope is 0.
        let slope = segment.length.isFinite ? (segment.lastRate - segment.firstRate) / segment.length : 0
        let root = (segment.firstRate * segment.firstRate + 2 * slope * calls).squareRoot()
        return Nanoseconds(seconds: segment.start + 2 * calls / (segment.firstRate + root))
    }

    /// Calls per second at a time from the start.
    package func rate(at elapsed: Duration) -> Double {
        let elapsed = elapsed.inSeconds
        let segment = segments[lastIndex { $0.start <= elapsed }]
        guard segment.length.isFinite else { return segment.lastRate }
        return segment.firstRate
            + (segment.lastRate - segment.firstRate) * max(0, elapsed - segment.start) / segment.length
    }

    /// The last segment that `holds` is true of; it is true of the first ones only.
    private func lastIndex(where holds: (Segment) -> Bool) -> Int {
        var (low, high) = (0, segments.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if holds(segments[middle]) { low = middle } else { high = middle }
        }
        return low
    }
}
