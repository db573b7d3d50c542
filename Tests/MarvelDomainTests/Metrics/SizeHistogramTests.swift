import MarvelDomain
import Testing

struct SizeHistogramTests {
    @Test func sizesAreCountedUpToTheirBounds() {
        let histogram = SizeHistogram()
        for size in [1, 1, 2, 3, 5, 1_000, 1_001, 50_000] { histogram.add(size) }
        let counts = histogram.counts
        #expect(counts.bounds == .groupSize)
        #expect(counts.buckets == [2, 1, 2, 0, 0, 0, 0, 0, 0, 1, 2])
        #expect(counts.sum == 52_013)
        #expect(counts.quantile(0.25) == 1)
    }
}
