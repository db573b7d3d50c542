internal import Histogram

/// What happened when: a row of intervals of equal length from the start of a run.
///
/// Nobody says beforehand how long a run will be. When the row gets too long, each two neighbors become one and the
/// interval doubles: memory stays, and a curve drawn of it is never too fine.
package struct Timeline: Sendable {
    /// What finished in one interval.
    package struct Interval: Sendable {
        package fileprivate(set) var calls = 0
        package fileprivate(set) var failures = 0
        package fileprivate(set) var pages = 0
        /// Two digits are enough for a curve, and a tenth of the memory.
        private var histogram = Histogram<UInt32>(
            lowestDiscernibleValue: 1_000,
            highestTrackableValue: 3_600_000_000_000,
            numberOfSignificantValueDigits: .two
        )

        package init() {}

        package var succeeded: Int { calls - failures }

        /// - Returns: nil if no call finished.
        package func latency(atPercentile percentile: Double) -> Nanoseconds? {
            histogram.totalCount == 0 ? nil : Nanoseconds(histogram.valueAtPercentile(percentile))
        }

        fileprivate mutating func record(_ latency: Nanoseconds) {
            histogram.record(min(UInt64(max(latency, 0)), histogram.highestTrackableValue))
        }

        package mutating func merge(_ other: Interval) {
            calls += other.calls
            failures += other.failures
            pages += other.pages
            histogram.add(other.histogram)
        }
    }

    private static let maximumCount = 240

    /// The length of an interval.
    package private(set) var interval: Nanoseconds
    package private(set) var intervals: [Interval] = []

    /// - Parameter interval: To begin with.
    package init(interval: Duration = .milliseconds(100)) {
        self.interval = interval.inNanoseconds
    }

    /// - Parameters:
    ///   - time: When it ended, after the start; what ended before it counts to the first interval.
    ///   - latency: nil if it is not to be counted among the latencies.
    ///   - pages: That it brought.
    ///   - isFailure: Whether it failed.
    package mutating func record(at time: Nanoseconds, latency: Nanoseconds?, pages: Int, isFailure: Bool) {
        let index = index(at: time)
        intervals[index].calls += 1
        intervals[index].pages += pages
        if isFailure { intervals[index].failures += 1 }
        if let latency { intervals[index].record(latency) }
    }

    package mutating func merge(_ other: Timeline) {
        var other = other
        while interval < other.interval { fold() }
        while other.interval < interval { other.fold() }
        while intervals.count < other.intervals.count { intervals.append(Interval()) }
        for (index, interval) in other.intervals.enumerated() { intervals[index].merge(interval) }
    }

    /// What finished lately, for a display that follows the run: the last intervals that are over.
    ///
    /// - Parameters:
    ///   - time: Now, after the start.
    ///   - span: How much to look back at, at least one interval.
    /// - Returns: What finished, and how long the intervals are together.
    package func recent(at time: Nanoseconds, span: Nanoseconds) -> (interval: Interval, length: Nanoseconds) {
        let end = min(Int(time / interval), intervals.count)
        let start = max(0, end - max(1, Int(span / interval)))
        var sum = Interval()
        for index in start..<max(start, end) { sum.merge(intervals[index]) }
        return (sum, Nanoseconds(end - start) * interval)
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
