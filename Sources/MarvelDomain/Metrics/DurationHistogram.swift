package import Synchronization

/// A histogram of durations that is read while it grows. Only one thread at a time may add to it: a load and a store
/// are faster than an atomic addition.
package final class DurationHistogram: Sendable {
    /// A copy: each use of a static one would ask whether it is made.
    private let bounds = HistogramBounds.callDuration

    private let nanoseconds = Atomic(0)
    private let buckets = InlineArray<20, Atomic<Int>> { _ in Atomic(0) }

    package init() {}

    package func add(nanoseconds duration: Int64) {
        nanoseconds.addAlone(Int(duration))
        buckets[bounds.bucket(ofNanoseconds: duration)].addAlone(1)
    }

    package var counts: HistogramCounts {
        let observed = (0..<bounds.bucketCount).map { buckets[$0].load(ordering: .relaxed) }
        let sum = Double(nanoseconds.load(ordering: .relaxed)) / 1_000_000_000
        return HistogramCounts(bounds, buckets: observed, sum: sum)
    }
}

extension Atomic<Int> {
    /// Adds to a number with a single writer. It is faster than an atomic addition.
    package func addAlone(_ difference: Int) {
        store(load(ordering: .relaxed) &+ difference, ordering: .relaxed)
    }
}
