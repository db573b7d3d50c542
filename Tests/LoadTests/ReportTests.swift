import Testing

@testable import Load

struct FigureTests {
    @Test(arguments: [
        (0, "0.00 µs"), (999, "1.00 µs"), (1_240, "1.24 µs"), (12_400, "12.4 µs"), (124_000, "124 µs"),
        (999_499, "999 µs"), (999_500, "1.00 ms"), (1_240_000, "1.24 ms"), (61_000_000_000, "61.0 s"),
        (3_600_000_000_000, "3600 s"),
    ])
    func timesHaveThreeDigits(_ time: Nanoseconds, _ text: String) {
        #expect(Format.time(time) == text)
    }

    @Test(arguments: [(0.0, "0 %"), (1, "100.00 %"), (0.0021, "0.21 %"), (0.00002, "0.0020 %"), (0.5, "50.00 %")])
    func partsArePercentages(_ ratio: Double, _ text: String) {
        #expect(Format.percent(ratio) == text)
    }

    @Test(arguments: [
        (0.0, "0.00 B"), (512, "512 B"), (2_048, "2.05 kB"), (12_400_000, "12.4 MB"), (1e15, "1000 TB"),
    ])
    func bytesHaveAUnit(_ number: Double, _ text: String) {
        #expect(Format.bytes(number) == text)
    }

    @Test(arguments: [
        (0.05, 1, "0.1"), (1.995, 2, "2.00"), (-0.04, 1, "0.0"), (-1.5, 1, "-1.5"), (1e300, 1, "1e+300"),
        (.nan, 1, "0"),
        (7.5, 0, "8"),
    ])
    func decimalsAreRounded(_ number: Double, _ digits: Int, _ text: String) {
        #expect(Format.decimal(number, digits: digits) == text)
    }
}

struct ScaleTests {
    @Test(arguments: [
        ([300.0, 2_000], 200.0, 2_000.0), ([1, 1], 1, 5), ([99, 101], 50, 500), ([0, 5e9], 5e9, 5e10), ([], 1, 10),
    ])
    func aLogarithmicScaleIsRound(_ values: [Double], _ lowest: Double, _ highest: Double) {
        let scale = Scale.logarithmic(values, from: 0, to: 100)
        #expect(abs(scale.lowest / lowest - 1) < 1e-9)
        #expect(scale.highest / highest > 0.99 && scale.highest / highest < 2.01)
    }

    @Test(arguments: [1.0, 7, 99, 100, 12_345, 0.02])
    func aLinearScaleHasFewRoundTicks(_ highest: Double) {
        let scale = Scale.linear(upTo: highest, from: 300, to: 0)
        #expect(scale.highest >= highest)
        #expect((4...7).contains(scale.ticks.count))
        #expect(scale.position(0) == 300)
        #expect(abs(scale.position(scale.highest)) < 1e-9)
    }

    @Test func ticksLieWithinTheScale() {
        let scale = Scale.logarithmic([150_000, 40_000_000], from: 0, to: 100)
        #expect(scale.ticks.allSatisfy { (scale.lowest...scale.highest).contains($0.value) })
        #expect(scale.ticks.count { $0.isMajor } <= 12)
        #expect(scale.ticks.contains { $0.value == 1_000_000 && $0.isMajor })
    }
}

struct LoadReportTests {
    /// All calls of the first interval failed, so it has no latency.
    @Test func pointsAreTheIntervalsOfAllCalls() {
        let report = Sample.report(Sample.result(calls: 100, failed: 10, latency: 2_000_000, elapsed: .seconds(1)))
        #expect(report.points.map { $0.perSecond($0.interval.succeeded) } == [0] + Array(repeating: 100, count: 9))
        #expect(report.points[0].interval.failures == 10)
        #expect(
            report.points.map { $0.interval.latency(atPercentile: 50) == nil } == [true]
                + Array(repeating: false, count: 9)
        )
    }

    @Test func theHistogramIsReadableByItsTools() {
        let report = Sample.report(Sample.result(calls: 1_000, latency: 5_000_000, elapsed: .seconds(1)))
        #expect(report.hgrm.hasPrefix("       Value     Percentile TotalCount 1/(1-Percentile)"))
        #expect(report.hgrm.contains("#[Max     ="))
        #expect(report.hgrm.contains("Total count    =         1000]"))
    }

    @Test func unstartedCallsAreReported() {
        let result = Sample.result(calls: 10, latency: 1_000, elapsed: .seconds(1), missed: 1_234, ending: .stopped)
        let warnings = Sample.report(result, model: .open(.constant(5))).warnings
        #expect(warnings.contains { $0.contains("1,234 scheduled calls never started: all 8 slots") })
        #expect(warnings.contains("The test was stopped early."))
    }

    /// The best run is the result, and says nothing of the end.
    @Test(arguments: [RunResult.Ending.stopped, .serverLost])
    func aSearchEndsAsItsLastRunDoes(_ ending: RunResult.Ending) {
        let good = Sample.result(calls: 100, latency: 1_000_000, elapsed: .seconds(1))
        let last = Sample.result(calls: 9, latency: 1_000_000, elapsed: .seconds(1), ending: ending)
        var limit = LimitReport(targets: [])
        limit.steps = [(100.0, good), (200, last)].map { LimitStep(rate: $0, result: $1, targets: []) }
        limit.limit = 100
        let report = Sample.report(good, model: .open(.constant(100)), limit: limit)
        #expect(report.ending == ending)
        #expect(report.warnings.count == 1)
    }

    @Test(arguments: [(10, false), (11, true)])
    func moreThanOnePercentOfErrorsIsWarnedOf(_ failed: Int, _ isWarnedOf: Bool) {
        let result = Sample.result(calls: 1_000, failed: failed, latency: 1_000, elapsed: .seconds(1))
        let warnings = Sample.report(result).warnings
        #expect(warnings.contains { $0.hasPrefix("1.10 % of the calls failed") } == isWarnedOf)
        #expect(warnings.isEmpty == !isWarnedOf)
    }

    @Test func ratesAndPagesAreThoseOfCallsThatSucceeded() {
        let result = Sample.result(calls: 100, failed: 75, latency: 1_000, elapsed: .seconds(1))
        #expect(result.callsPerSecond == 25)
        #expect(result.pagesPerSecond == 25)
        let report = Sample.report(result, thresholds: ["rps>26"])
        #expect(report.verdicts.map(\.holds) == [false])
        #expect(ReportTables.latencies(report).rows.map { $0[1] } == ["25.0"])
        #expect(report.points.map(\.interval.succeeded).reduce(0, +) == 25)
    }

    @Test func theMostFrequentErrorComesFirst() {
        var recorder = Recorder([.pages])
        for (code, count) in [("ABORTED", 1), ("UNAVAILABLE", 3), ("DEADLINE_EXCEEDED", 3)] {
            for _ in 0..<count {
                let failure = Failure(code: code, reason: "")
                recorder.record(CallOutcome(operation: .pages, due: 1, latency: 1, verdict: .failure(failure)))
            }
        }
        let result = RunResult(recorder: recorder, elapsed: .seconds(1), ending: .completed, testerCPU: .zero)
        let rows = ReportTables.failures(Sample.report(result)).rows
        #expect(rows.map(\.first) == ["DEADLINE_EXCEEDED", "UNAVAILABLE", "ABORTED"])
        #expect(rows[0] == ["DEADLINE_EXCEEDED", "-", "3", "42.86 %"])
    }
}

struct HTMLReportTests {
    enum Kind: CaseIterable {
        case streamed
        case searched
        case empty

        var report: LoadReport {
            switch self {
            case .streamed:
                return Sample.report(
                    Sample.result(calls: 500, failed: 5, latency: 3_000_000, elapsed: .seconds(2), operation: .stream),
                    model: .open(.constant(250)),
                    mix: Mix(only: .stream),
                    thresholds: ["p99<5ms", "errors<0.1%"]
                )
            case .searched:
                let good = Sample.result(calls: 100, latency: 1_000_000, elapsed: .seconds(1))
                let bad = Sample.result(calls: 100, latency: 9_000_000, elapsed: .seconds(1))
                let targets = [Threshold("p99<5ms")].compactMap(\.self)
                let steps = [(100.0, good), (200, bad)].map { LimitStep(rate: $0, result: $1, targets: targets) }
                var limit = LimitReport(targets: targets)
                (limit.steps, limit.limit, limit.isComplete) = (steps, 100, true)
                return Sample.report(good, model: .open(.constant(100)), limit: limit)
            case .empty:
                return Sample.report(
                    RunResult(recorder: Recorder([.pages]), elapsed: .zero, ending: .stopped, testerCPU: .zero)
                )
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func thePageNeedsNothingBesideItself(_ kind: Kind) {
        let html = kind.report.html
        for forbidden in ["<script", "http://", "https://", "<link", "<img", "url(", "@import"] {
            #expect(!html.contains(forbidden))
        }
        #expect(html.contains("prefers-color-scheme: dark"))
        #expect(html.contains(" model"))
        // No coordinate is missing.
        for wrong in ["nan", "inf", "∞", "e+"] { #expect(!html.contains("\"\(wrong)")) }
        #expect(!html.contains("=\"-"))
    }

    @Test func foreignTextIsEscaped() {
        #expect(Kind.streamed.report.html.contains("DRAINING&lt;&amp;&gt;"))
        #expect(Kind.streamed.report.html.contains("&lt;script&gt;"))
    }

    @Test func firstPagesHaveALineOfTheirOwn() {
        #expect(Kind.streamed.report.html.contains("first page"))
        #expect(Kind.streamed.report.html.contains("Latency by percentile"))
        #expect(!Kind.searched.report.html.contains("first page"))
    }

    @Test func verdictsHaveAColor() {
        let html = Kind.streamed.report.html
        #expect(html.contains(#"<td class="holds">holds</td>"#))
        #expect(html.contains(#"<td class="fails">FAILS</td>"#))
        let searched = Kind.searched.report.html
        #expect(searched.contains("Search for the limit"))
        #expect(searched.contains(#"<td class="number fails" data-title="verdict">not p99&lt;5ms</td>"#))
    }
}
