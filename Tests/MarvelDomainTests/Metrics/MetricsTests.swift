import MarvelDomain
import Testing

@Suite struct MetricsRegistryTests {
    @Test func aMetricIsReadWhenItIsAskedFor() {
        var registry = MetricsRegistry()
        registry.gauge("g", "A gauge.") { nil }
        registry.counter("c_total", "A counter.") { 7 }
        registry.counters("d_total", "Counters.", by: "kind") { [("a", 1), ("b", 2)] }
        let page = PrometheusText.page(registry.read())
        let lines = page.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines == ["c_total 7", "d_total{kind=\"a\"} 1", "d_total{kind=\"b\"} 2"])
    }
}

@Suite struct HistogramTests {
    private static let bounds = HistogramBounds(seconds: [0.001, 0.01, 0.1])

    @Test(
        arguments: [
            (0, 0), (1_000_000, 0), (1_000_001, 1), (10_000_000, 1), (99_000_000, 2), (100_000_001, 3), (Int64.max, 3),
            (-5, 0),
        ] as [(Int64, Int)]
    )
    func anObservationIsInTheBucketBelowItsBound(_ nanoseconds: Int64, _ bucket: Int) {
        #expect(Self.bounds.bucket(ofNanoseconds: nanoseconds) == bucket)
    }

    @Test(
        arguments: [
            ([0, 0, 0, 0], 0.5, nil), ([10, 0, 0, 0], 0.5, 0.0005), ([10, 10, 0, 0], 0.5, 0.001),
            ([0, 0, 4, 0], 0.5, 0.055), ([1, 0, 0, 99], 0.99, 0.1), ([99, 0, 1, 0], 0.5, 0.000505),
        ] as [([Int], Double, Double?)]
    )
    func aQuantileLiesWithinItsBucket(_ buckets: [Int], _ fraction: Double, _ expected: Double?) throws {
        let quantile = HistogramCounts(Self.bounds, buckets: buckets).quantile(fraction)
        guard let expected else {
            #expect(quantile == nil)
            return
        }
        #expect(abs(try #require(quantile) - expected) < 1e-5)
    }

    @Test func aHistogramSinceAnEarlierOneHasTheObservationsBetween() {
        var later = HistogramCounts(Self.bounds, buckets: [1, 2, 3, 4], sum: 10)
        let earlier = HistogramCounts(Self.bounds, buckets: [1, 1, 1, 1], sum: 4)
        #expect(later.since(earlier) == HistogramCounts(Self.bounds, buckets: [0, 1, 2, 3], sum: 6))
        later.add(earlier)
        #expect(later == HistogramCounts(Self.bounds, buckets: [2, 3, 4, 5], sum: 14))
    }
}
