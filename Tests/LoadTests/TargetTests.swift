import Testing

@testable import Load

struct ThresholdTests {
    private typealias Row = (String, Threshold.Metric, Threshold.Comparison, Double)

    @Test(
        arguments: [
            ("p99<5ms", .latency(.percentile(99)), .below, 5e6),
            ("p99.99<=1.5s", .latency(.percentile(99.99)), .atMost, 1.5e9),
            ("p50>100us", .latency(.percentile(50)), .above, 1e5),
            ("p90<100µs", .latency(.percentile(90)), .below, 1e5),
            ("max<1s", .latency(.maximum), .below, 1e9), ("mean<250ns", .latency(.mean), .below, 250),
            ("first-page-p99<5ms", .firstPage(.percentile(99)), .below, 5e6),
            ("first-page-p99.9>=1s", .firstPage(.percentile(99.9)), .atLeast, 1e9),
            ("first-page-max<=1s", .firstPage(.maximum), .atMost, 1e9),
            ("first-page-mean<1us", .firstPage(.mean), .below, 1e3),
            ("errors<0.1%", .errors, .below, 0.001), ("errors<=0%", .errors, .atMost, 0),
            ("rps>1000", .rate, .above, 1_000), ("rps>=99.5", .rate, .atLeast, 99.5),
        ] as [Row]
    )
    func readsWrittenValues(
        _ text: String,
        _ metric: Threshold.Metric,
        _ sign: Threshold.Comparison,
        _ limit: Double
    ) throws {
        let threshold = try #require(Threshold(text))
        #expect(threshold.metric == metric)
        #expect(threshold.comparison == sign)
        #expect(abs(threshold.limit - limit) < 1e-9 * max(limit, 1))
        #expect(threshold.description == text)
    }

    @Test(arguments: [
        "", "<", "p99", "p99<", "<5ms", "p99<5", "p99=5ms", "p0<5ms", "p100<5ms", "p<5ms",
        "p99.<5ms", "p-1<5ms",
        "p99 < 5ms", "p99<-5ms", "p99<5 ms", "p99<1e3ms", "p99<>5ms", "p99<5ms<6ms", "errors<0.1",
        "errors<1ms", "rps>1k",
        "rps>5%", "rate>5", "pnan<5ms", "p99<.5ms",
        "first-page<5ms", "first-page-<5ms", "first-page-p99<5", "first-page-p100<5ms", "first-page-errors<1%",
        "first-page-rps>1", "first-page-first-page-p99<5ms", "first-page p99<5ms", "firstpage-p99<5ms",
    ])
    func refusesInvalidTexts(_ text: String) {
        #expect(Threshold(text) == nil)
    }

    @Test(arguments: [
        ("p99<5ms", 4_999_999.0, true), ("p99<5ms", 5e6, false), ("p99<=5ms", 5e6, true), ("rps>100", 100, false),
        ("rps>=100", 100, true), ("errors<1%", 0, true),
    ])
    func comparesAValueWithItsBound(_ text: String, _ value: Double, _ holds: Bool) throws {
        #expect(try #require(Threshold(text)).holds(value) == holds)
    }

    @Test(arguments: ["p99<5ms", "p99>0ns", "max<1s", "errors<100%", "first-page-p99<1s"])
    func aMissingFigureFailsItsThreshold(_ text: String) throws {
        let threshold = try #require(Threshold(text))
        let empty = RunResult(recorder: Recorder([.pages]), elapsed: .seconds(1), ending: .completed, testerCPU: .zero)
        #expect(!Verdict(threshold, in: empty).holds)
    }

    @Test(arguments: [
        ("p50<2ms", true), ("p50<0.5ms", false), ("max<0.9ms", false), ("mean<5ms", true), ("errors<10.1%", true),
        ("errors<10%", false), ("rps>8.9", true), ("rps>9", false), ("first-page-p99<1s", false),
    ])
    func aRunIsJudged(_ text: String, _ holds: Bool) throws {
        let result = Sample.result(calls: 10, failed: 1, latency: 1_000_000, elapsed: .seconds(1))
        #expect(Verdict(try #require(Threshold(text)), in: result).holds == holds)
    }

    /// Its first page takes half as long as a call.
    @Test(arguments: [
        ("first-page-p50<0.6ms", true), ("first-page-p50<0.4ms", false), ("first-page-max<0.6ms", true),
        ("first-page-mean>0.4ms", true), ("p50<0.6ms", false),
    ])
    func theFirstPageIsJudgedApart(_ text: String, _ holds: Bool) throws {
        let result = Sample.result(calls: 10, latency: 1_000_000, elapsed: .seconds(1), operation: .stream)
        #expect(Verdict(try #require(Threshold(text)), in: result).holds == holds)
    }
}

struct LimitSearchTests {
    /// Rates tried against a server that bears `limit`, and what came out.
    private func search(from first: Double, limit: Double) -> (tried: [Double], found: Double?) {
        var search = LimitSearch(from: first)
        var tried: [Double] = []
        while case .run(let rate) = search.next, tried.count < 100 {
            tried.append(rate)
            search.tried(rate, holds: rate <= limit)
        }
        guard case .finished(let found) = search.next else { return (tried, -1) }
        return (tried, found)
    }

    @Test(arguments: [1.0, 3, 10, 999, 1_000, 1_001, 12_345, 100_000, 9_999_999])
    func findsTheLimitFromAnywhere(_ limit: Double) throws {
        for first in [1.0, 1_000, 1e6] {
            let (tried, result) = search(from: first, limit: limit)
            let found = try #require(result)
            #expect(found <= limit)
            #expect(limit - found <= max(1, limit * 0.03))
            #expect(tried.count < 70)
            #expect(tried.allSatisfy { rate in tried.count { $0 == rate } == (rate <= limit ? 1 : 2) })
        }
    }

    @Test func doublesAndThenHalvesTheGap() {
        let tried = search(from: 1_000, limit: 5_000).tried
        #expect(
            tried == [1_000, 2_000, 4_000, 8_000, 8_000, 6_000, 6_000, 5_000, 5_500, 5_500, 5_250, 5_250, 5_125, 5_125]
        )
    }

    @Test func aRateThatFailsOnceIsTriedAgain() {
        var search = LimitSearch(from: 100)
        search.tried(100, holds: false)
        #expect(search.next == .run(rate: 100))
        search.tried(100, holds: true)
        #expect(search.next == .run(rate: 200))
    }

    @Test func endsIfNoRateOrEveryRateHolds() {
        #expect(search(from: 100, limit: 0).found == nil)
        #expect(search(from: 1_000, limit: .infinity).found == 1e7)
    }
}

struct LimitStepTests {
    private let target = [Threshold("p99<5ms")].compactMap(\.self)

    private func obstacle(
        failed: Int = 0,
        latency: Nanoseconds = 1_000_000,
        missed: Int = 0,
        targets: [Threshold]? = nil,
        ending: RunResult.Ending = .completed
    ) -> String? {
        let result = Sample.result(
            calls: 10_000,
            failed: failed,
            latency: latency,
            elapsed: .seconds(1),
            missed: missed,
            ending: ending
        )
        return LimitStep(rate: 10_000, result: result, targets: targets ?? target).obstacle
    }

    @Test func aRateHoldsIfItWasRunWithoutTrouble() {
        #expect(obstacle() == nil)
        #expect(obstacle(failed: 10, missed: 9) == nil)
    }

    @Test func everyObstacleHasAName() {
        #expect(obstacle(latency: 6_000_000) == "not p99<5ms")
        #expect(obstacle(failed: 11) == "errors")
        #expect(obstacle(missed: 11) == "missed calls")
        #expect(obstacle(ending: .serverLost) == "cut short")
    }

    @Test func anErrorThresholdNeedsANumber() {
        #expect(obstacle(failed: 50, targets: [Threshold("errors<1%")].compactMap(\.self)) == nil)
        #expect(obstacle(failed: 150, targets: [Threshold("errors<1%")].compactMap(\.self)) == "not errors<1%")
    }
}
