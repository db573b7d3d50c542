internal import Histogram

/// The calls of a run by their due times (closed model: sent), so a stall shows as slow calls, not as a gap.
///
/// Memory is bounded: when there are too many intervals, neighbors are merged and the length doubles.
package struct Timeline: Sendable {
    package struct Interval: Sendable {
        package fileprivate(set) var calls = 0
        package fileprivate(set) var failures = 0
        /// Two digits are enough for a curve, and take a tenth of the memory of three.
        private var histogram = Histogram<UInt32>(
            lowestDiscernibleValue: 1_000,
            highestTrackableValue: 3_600_000_000_000,
            numberOfSignificantValueDigits: .two
        )

        package init() {}

        package var succeeded: Int { calls - failures }

        package func latency(atPercentile percentile: Double) -> Nanoseconds? {
            histogram.totalCount == 0 ? nil : Nanoseconds(histogram.valueAtPercentile(percentile))
        }

        mutating func record(_ outcome: CallOutcome) {
            calls += 1
            if outcome.verdict != .success { failures += 1 }
            guard outcome.verdict.hasLatency else { return }
            histogram.record(min(UInt64(max(outcome.latency, 0)), histogram.highestTrackableValue))
        }

        package mutating func merge(_ other: Interval) {
            calls += other.calls
            failures += other.failures
            histogram.add(other.histogram)
        }
    }

    private static let maximumCount = 240

    package private(set) var interval: Nanoseconds
    package private(set) var intervals: [Interval] = []

    package init(interval: Duration = .milliseconds(100)) {
        self.interval = interval.inNanoseconds
    }

    /// A call that was due before the start counts in the first interval.
    package mutating func record(_ outcome: CallOutcome) {
        let index = index(at: outcome.due)
        intervals[index].record(outcome)
    }

    package mutating func merge(_ other: Timeline) {
        var other = other
        while interval < other.interval { fold() }
        while other.interval < interval { other.fold() }
        while intervals.count < other.intervals.count { intervals.append(Interval()) }
        for (index, interval) in other.intervals.enumerated() { intervals[index].merge(interval) }
    }

    /// `span` is the time to look back, at least one interval.
    package func latest(_ span: Nanoseconds) -> Interval {
        intervals.suffix(max(1, Int(span / interval))).reduce(into: Interval()) { $0.merge($1) }
    }

    private mutating func index(at time: Nanoseconds) -> Int {
        var index = Int(max(time, 0) / interval)
        while index >= Timeline.maximumCount {
            fold()
            index = Int(max(time, 0) / interval)
        }
        while index >= intervals.count { intervals.append(Interval()) }
        return index
    }

    private mutating func fold() {
        interval *= 2
        intervals = stride(from: 0, to: intervals.count, by: 2).map { index in
            var sum = intervals[index]
            if index + 1 < intervals.count { sum.merge(intervals[index + 1]) }
            return sum
        }
    }
}

extension Timeline {
    package struct Point: Sendable {
        package var start: Nanoseconds
        package var length: Nanoseconds
        package var interval: Interval

        package var middle: Double { (start + length / 2).inSeconds }

        package func perSecond(_ count: Int) -> Double {
            length > 0 ? Double(count) / length.inSeconds : 0
        }
    }

    /// A last interval shorter than half an interval is merged into the previous one: its rates would be meaningless.
    package func points(elapsed: Nanoseconds) -> [Point] {
        var points: [Point] = []
        for (index, interval) in intervals.enumerated() {
            let start = Nanoseconds(index) * self.interval
            let length = min(self.interval, max(0, elapsed - start))
            if length < self.interval / 2, let last = points.indices.last {
                points[last].length += length
                points[last].interval.merge(interval)
            } else {
                points.append(Point(start: start, length: length, interval: interval))
            }
        }
        return points
    }
}
