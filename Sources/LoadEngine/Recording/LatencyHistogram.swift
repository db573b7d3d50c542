internal import Histogram

/// Latencies of any number of calls in a fixed amount of memory, each kept to three digits.
package struct LatencyHistogram: Sendable {
    /// What is smaller counts as this, in nanoseconds.
    private static let smallest: UInt64 = 100
    /// What is larger counts as this: an hour.
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

    /// - Parameter percentile: 0 to 100.
    /// - Returns: A time that so many of the calls took at most; nil without calls.
    package func value(atPercentile percentile: Double) -> Nanoseconds? {
        isEmpty ? nil : Nanoseconds(histogram.valueAtPercentile(percentile))
    }

    package var minimum: Nanoseconds? { isEmpty ? nil : Nanoseconds(histogram.min) }
    package var maximum: Nanoseconds? { isEmpty ? nil : Nanoseconds(histogram.max) }
    package var mean: Nanoseconds? { isEmpty ? nil : Nanoseconds(histogram.mean) }

    /// One point of the curve: this part of the calls took at most this long.
    package struct Point: Sendable, Hashable {
        /// 0 to 100.
        package var percentile: Double
        package var value: Nanoseconds
    }

    /// The distribution, denser the nearer it comes to its end.
    package var curve: [Point] {
        histogram.percentiles(ticksPerHalfDistance: 8).map { step in
            Point(percentile: step.percentileLevelIteratedTo, value: Nanoseconds(step.value))
        }
    }

    /// The percentile distribution as HdrHistogram's tools write and plot it, in milliseconds.
    package var text: String {
        var text = ""
        histogram.outputPercentileDistribution(to: &text, outputValueUnitScalingRatio: 1_000_000)
        return text
    }
}
