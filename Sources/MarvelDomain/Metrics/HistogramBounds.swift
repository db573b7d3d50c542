/// The upper bounds of a histogram's buckets.
package struct HistogramBounds: Sendable, Hashable {
    package let seconds: [Double]
    private let nanoseconds: [Int64]

    /// The bounds must ascend.
    package init(seconds: [Double]) {
        self.seconds = seconds
        nanoseconds = seconds.map { Int64(($0 * 1_000_000_000).rounded()) }
    }

    /// For the durations of calls: the bounds of OpenTelemetry's conventions, and finer ones below them.
    package static let callDuration = HistogramBounds(
        seconds: [
            0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5,
            7.5,
            10,
        ]
    )

    /// The last bucket has no bound.
    package var bucketCount: Int { seconds.count + 1 }

    /// An observation that equals a bound is below it.
    package func bucket(ofNanoseconds value: Int64) -> Int {
        // Most calls are short, so a linear search is fast.
        nanoseconds.firstIndex { value <= $0 } ?? nanoseconds.count
    }
}

package struct HistogramCounts: Sendable, Hashable {
    package let bounds: HistogramBounds
    /// In each bucket alone, without those below it.
    package private(set) var buckets: [Int]
    /// In seconds.
    package private(set) var sum: Double

    /// Nil `buckets` are empty.
    package init(_ bounds: HistogramBounds, buckets: [Int]? = nil, sum: Double = 0) {
        self.bounds = bounds
        self.buckets = buckets ?? Array(repeating: 0, count: bounds.bucketCount)
        self.sum = sum
    }

    package var count: Int { buckets.reduce(0, +) }

    package mutating func add(_ other: HistogramCounts) {
        for (bucket, count) in zip(buckets.indices, other.buckets) { buckets[bucket] += count }
        sum += other.sum
    }

    /// The observations since an earlier state of the same histogram.
    package func since(_ earlier: HistogramCounts) -> HistogramCounts {
        HistogramCounts(bounds, buckets: zip(buckets, earlier.buckets).map { max(0, $0 - $1) }, sum: sum - earlier.sum)
    }

    /// Estimates a quantile as Prometheus does: observations are spread evenly in their bucket.
    ///
    /// - Parameter fraction: The part of the observations that are not above the quantile, 0 to 1.
    /// - Returns: The quantile in seconds, at most the last bound; nil without observations.
    package func quantile(_ fraction: Double) -> Double? {
        let total = count
        guard total > 0 else { return nil }
        let rank = fraction * Double(total)
        var below = 0
        for (bucket, count) in buckets.enumerated() where count > 0 {
            guard Double(below + count) >= rank else {
                below += count
                continue
            }
            guard bucket < bounds.seconds.count else { break }
            let lower = bucket == 0 ? 0 : bounds.seconds[bucket - 1]
            return lower + (bounds.seconds[bucket] - lower) * (rank - Double(below)) / Double(count)
        }
        return bounds.seconds.last
    }
}
