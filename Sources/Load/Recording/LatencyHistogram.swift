internal import Histogram

/// A fixed amount of memory, with three significant digits.
package struct LatencyHistogram: Sendable {
    /// In nanoseconds. Smaller latencies count as this.
    private static let smallest: UInt64 = 100
    /// An hour. Larger latencies count as this.
    private static let largest: UInt64 = 3_600_000_000_000

    private var histogram = Histogram<UInt64>(
        lowestDiscernibleValue: smallest,
        highestTrackableValue: largest,
        numberOfSignificantValueDigits: .three
    )

    package init() {}

    package mutating func record(_ latency: Nanoseconds) {
        histogram.record(min(UInt64(max(latency, 0)), LatencyHistogram.largest))
    }

    package mutating func merge(_ other: LatencyHistogram) {
        guard !other.isEmpty else { return }
        histogram.add(other.histogram)
    }

    package var count: Int { Int(clamping: histogram.totalCount) }
    package var isEmpty: Bool { histogram.totalCount == 0 }

    /// `percentile` is 0 to 100.
    package func value(atPercentile percentile: Double) -> Nanoseconds? {
        isEmpty ? nil : Nanoseconds(histogram.valueAtPercentile(percentile))
    }

    package var minimum: Nanoseconds? { isEmpty ? nil : Nanoseconds(histogram.min) }
    package var maximum: Nanoseconds? { isEmpty ? nil : Nanoseconds(histogram.max) }
    package var mean: Nanoseconds? { isEmpty ? nil : Nanoseconds(histogram.mean) }

    /// A point of the distribution: this percentage of the calls took at most this long.
    package struct Point: Sendable, Hashable {
        package var percentile: Double
        package var value: Nanoseconds
    }

    package var curve: [Point] {
        histogram.percentiles(ticksPerHalfDistance: 8).map { step in
            Point(percentile: step.percentileLevelIteratedTo, value: Nanoseconds(step.value))
        }
    }

    /// In the text format of HdrHistogram's tools, in milliseconds.
    package var text: String {
        var text = ""
        histogram.outputPercentileDistribution(to: &text, outputValueUnitScalingRatio: 1_000_000)
        return text
    }
}
