internal import Histogram

/// A fixed amount of memory, with three significant digits.
package struct LatencyHistogram: Sendable {
    /// In nanoseconds. Smaller latencies count as this. It is the unit of the histogram, whose sum of nanoseconds would overflow in
    /// an hour in which 20,000 calls a second wait for a quarter of an hour each.
    private static let unit: Int64 = 100
    /// An hour. Larger latencies count as this.
    private static let largest: UInt64 = 36_000_000_000

    private var histogram = Histogram<UInt64>(
        lowestDiscernibleValue: 1,
        highestTrackableValue: largest,
        numberOfSignificantValueDigits: .three
    )

    package init() {}

    package mutating func record(_ latency: Nanoseconds) {
        histogram.record(min(UInt64(max(latency / LatencyHistogram.unit, 1)), LatencyHistogram.largest))
    }

    package mutating func merge(_ other: LatencyHistogram) {
        guard !other.isEmpty else { return }
        histogram.add(other.histogram)
    }

    package var count: Int { Int(clamping: histogram.totalCount) }
    package var isEmpty: Bool { histogram.totalCount == 0 }

    /// `percentile` is 0 to 100.
    package func value(atPercentile percentile: Double) -> Nanoseconds? {
        isEmpty ? nil : Self.nanoseconds(histogram.valueAtPercentile(percentile))
    }

    package var minimum: Nanoseconds? { isEmpty ? nil : Self.nanoseconds(histogram.min) }
    package var maximum: Nanoseconds? { isEmpty ? nil : Self.nanoseconds(histogram.max) }
    package var mean: Nanoseconds? { isEmpty ? nil : Nanoseconds(histogram.mean * Double(Self.unit)) }

    private static func nanoseconds(_ value: UInt64) -> Nanoseconds { Nanoseconds(value) * unit }

    /// A point of the distribution: this percentage of the calls took at most this long.
    package struct Point: Sendable, Hashable {
        package var percentile: Double
        package var value: Nanoseconds
    }

    package var curve: [Point] {
        histogram.percentiles(ticksPerHalfDistance: 8).map { step in
            Point(percentile: step.percentileLevelIteratedTo, value: Self.nanoseconds(step.value))
        }
    }

    /// In the text format of HdrHistogram's tools, in milliseconds.
    package var text: String {
        var text = ""
        histogram.outputPercentileDistribution(to: &text, outputValueUnitScalingRatio: 1_000_000 / Double(Self.unit))
        return text
    }
}
