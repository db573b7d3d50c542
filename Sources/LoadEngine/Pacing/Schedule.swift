/// The call rate over time in the open model: constant, in steps, or linear.
///
/// A schedule is a sequence of segments, in each of which the rate is constant or changes linearly. The last segment
/// has a constant rate and no end. So the time of the n-th call is one formula.
package struct Schedule: Sendable, Hashable {
    private struct Segment: Sendable, Hashable {
        /// The time at which the segment begins, in seconds. `callsBefore` is the number of calls due before that time.
        var start: Double
        var callsBefore: Double
        /// Calls per second at the beginning of the segment; `lastRate` at its end.
        var firstRate: Double
        var lastRate: Double
        /// The length in seconds; infinite for the last segment.
        var length: Double

        var calls: Double { length * (firstRate + lastRate) / 2 }
    }

    /// The parameters from which a schedule was made.
    package enum Shape: Sendable, Hashable {
        case constant(rate: Double)
        case steps(from: Double, to: Double, by: Double, each: Duration)
        case line(from: Double, to: Double, over: Duration)
    }

    package let shape: Shape
    /// The segments, never empty. The last one has no end.
    private var segments: [Segment] = []

    /// The time after which the rate is constant; zero for a constant rate.
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

    /// Makes a schedule with a constant rate: `rate` calls per second, above 0.
    package static func constant(_ rate: Double) -> Schedule {
        Schedule(.constant(rate: rate), thenHolding: rate)
    }

    /// Makes a schedule that stays at `start` for a while, then at `start + step`, and so on, at last at `end`.
    ///
    /// - Parameters:
    ///   - start: Calls per second, above 0.
    ///   - end: Calls per second, above 0; lower than `start` for steps downwards.
    ///   - step: The size of a step, above 0.
    ///   - each: The length of a step.
    /// - Returns: The schedule; it holds `end` after the last step.
    package static func steps(from start: Double, to end: Double, by step: Double, each: Duration) -> Schedule {
        let count = Int((abs(end - start) / step).rounded(.up))
        let rates = (0...count).map { number in
            number == count ? end : start + (end < start ? -step : step) * Double(number)
        }
        let shape = Shape.steps(from: start, to: end, by: step, each: each)
        return Schedule(shape, rates.map { ($0, $0, each.inSeconds) }, thenHolding: end)
    }

    /// Makes a schedule that changes linearly from `start` to `end`.
    ///
    /// - Parameters:
    ///   - start: Calls per second, 0 or more.
    ///   - end: Calls per second, above 0.
    ///   - length: The length of the change.
    /// - Returns: The schedule; it holds `end` after the change.
    package static func line(from start: Double, to end: Double, over length: Duration) -> Schedule {
        let shape = Shape.line(from: start, to: end, over: length)
        return Schedule(shape, [(start, end, length.inSeconds)], thenHolding: end)
    }

    /// The rates of a schedule in steps, in calls per second; empty for a constant or linear rate.
    package var stepRates: [Double] {
        guard case .steps = shape else { return [] }
        return segments.dropLast().map(\.firstRate)
    }

    /// Returns the step of a call that is due at a time after the start. The last step has no end.
    package func step(at due: Nanoseconds) -> Int? {
        guard case .steps(_, _, _, let each) = shape else { return nil }
        return min(Int(max(due, 0) / max(each.inNanoseconds, 1)), segments.count - 2)
    }

    /// Returns the time at which a call is due.
    ///
    /// - Parameter number: The call's number, from 0.
    /// - Returns: The time from the start; the maximum if the call is too far away.
    package func due(_ number: Int) -> Nanoseconds {
        let number = Double(number)
        let segment = segments[lastIndex { $0.callsBefore <= number }]
        let calls = number - segment.callsBefore
        guard calls > 0 else { return Nanoseconds(seconds: segment.start) }
        // This solves calls = firstRate * t + slope * t² / 2 for t, in the form that also works with a slope of 0.
        let slope = segment.length.isFinite ? (segment.lastRate - segment.firstRate) / segment.length : 0
        let root = (segment.firstRate * segment.firstRate + 2 * slope * calls).squareRoot()
        return Nanoseconds(seconds: segment.start + 2 * calls / (segment.firstRate + root))
    }

    /// Returns the calls per second at a time from the start.
    package func rate(at elapsed: Duration) -> Double {
        let elapsed = elapsed.inSeconds
        let segment = segments[lastIndex { $0.start <= elapsed }]
        guard segment.length.isFinite else { return segment.lastRate }
        return segment.firstRate
            + (segment.lastRate - segment.firstRate) * max(0, elapsed - segment.start) / segment.length
    }

    /// Returns the last segment for which `holds` is true. It must be true for the first segments only.
    private func lastIndex(where holds: (Segment) -> Bool) -> Int {
        var (low, high) = (0, segments.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if holds(segments[middle]) { low = middle } else { high = middle }
        }
        return low
    }
}
