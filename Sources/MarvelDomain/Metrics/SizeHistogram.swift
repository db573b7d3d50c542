internal import Synchronization

/// A histogram of the numbers of things that are done together. It is added to some thousand times a second at most.
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
