internal import Synchronization

/// A histogram of group sizes, for at most some thousand additions per second.
package final class SizeHistogram: Sendable {
    private let observed = Mutex((buckets: [Int](repeating: 0, count: HistogramBounds.groupSize.bucketCount), sum: 0))

    package init() {}

    package func add(_ size: Int) {
        let bucket = HistogramBounds.groupSize.bucket(of: size)
        observed.withLock { observed in
            observed.buckets[bucket] += 1
            observed.sum += size
        }
    }

    package var counts: HistogramCounts {
        let (buckets, sum) = observed.withLock { $0 }
        return HistogramCounts(.groupSize, buckets: buckets, sum: Double(sum))
    }
}
