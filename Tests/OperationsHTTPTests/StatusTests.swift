import HTTPFraming
import MarvelDomain
import NIOCore
import OperationsHTTP
import Testing

/// A status report that is made up.
enum SampleStatus {
    static func report(
        title: String = "marvel-server 1.2.3",
        state: StatusReport.State = .serving,
        activity: RecentActivity = ActivityHistory().recent([:], at: .now)
    ) -> StatusReport {
        StatusReport(
            title: title,
            state: state,
            facts: ["up 3 min"],
            activity: activity,
            tiles: [.init("Calls a second", "12", note: "n", history: [1, 2, 3])],
            panels: [.init("Store", [.init("Writable", "yes", tone: .good), .init("Left", "5 %", fraction: 0.05)])]
        )
    }
}

@Suite struct StatusPageTests {
    private static func page(_ report: StatusReport) async -> String {
        var sample = SamplePages()
        sample.status = report
        return String(buffer: await sample.pages.reply(method: "GET", target: "/").body)
    }

    @Test func thePageNeedsNothingFromElsewhere() async {
        let page = await Self.page(SampleStatus.report())
        for sign in ["<script", "http://", "https://", "@import", "url(", "src=", "<link"] {
            #expect(!page.contains(sign), "\(sign)")
        }
        #expect(page.contains("prefers-color-scheme: dark"))
        #expect(page.contains("http-equiv=\"refresh\""))
    }

    @Test(arguments: [
        (StatusReport.State.serving, "● Serving"), (.degraded("favorites are <read-only>"), "✖ Degraded"),
        (.draining, "▲ Draining"),
    ])
    func theStateIsSaidInWords(_ state: StatusReport.State, _ words: String) async {
        let page = await Self.page(SampleStatus.report(state: state))
        #expect(page.contains(words))
        #expect(!page.contains("<read-only>"))
    }

    @Test func noTextEndsAnElement() async {
        let hostile = "</title><script>alert('x')</script>\"&"
        let page = await Self.page(SampleStatus.report(title: hostile))
        #expect(!page.contains("<script"))
        #expect(page.contains("&lt;/title&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;"))
    }

    @Test(
        arguments: [
            (0, "0"), (0.000_012_3, "12.3 µs"), (0.000_9, "900 µs"), (0.001, "1 ms"), (0.052_34, "52.3 ms"),
            (1.5, "1.5 s"),
            (600, "10 min"), (8_000, "2 h"), (400_000, "4 days"),
        ] as [(Double, String)]
    )
    func durationsHaveThreeDigits(_ seconds: Double, _ text: String) {
        #expect(Figures.duration(seconds) == text)
    }

    @Test(arguments: [
        (0, "0"), (9_999, "9999"), (12_345, "12.3 k"), (999_949, "1000 k"), (2_500_000, "2.5 M"),
        (7_000_000_000, "7 G"),
    ])
    func countsAreShort(_ count: Int, _ text: String) {
        #expect(Figures.count(count) == text)
    }
}

@Suite struct ActivityTests {
    private static func totals(_ calls: Int, failures: Int = 0, bucket: Int = 0) -> MethodTotals {
        var buckets = [Int](repeating: 0, count: HistogramBounds.callDuration.bucketCount)
        buckets[bucket] = calls
        let durations = HistogramCounts(.callDuration, buckets: buckets)
        return MethodTotals(calls: calls, failures: failures, durations: durations)
    }

    @Test func aRateIsOfTheLastMinute() {
        let history = ActivityHistory()
        let start = ContinuousClock.now
        // 100 calls a second for two minutes, then none.
        for step in 0...24 { history.add(["m": Self.totals(step * 500)], at: start + .seconds(5 * step)) }
        let busy = history.recent(["m": Self.totals(12_000)], at: start + .seconds(120))
        #expect(busy.seconds == 60)
        #expect(busy.rate(busy.all.recent) == 100)
        #expect(busy.rates == [Double](repeating: 100, count: 24))
        for step in 25...37 { history.add(["m": Self.totals(12_000)], at: start + .seconds(5 * step)) }
        let quiet = history.recent(["m": Self.totals(12_000)], at: start + .seconds(185))
        #expect(quiet.rate(quiet.all.recent) == 0)
        #expect(quiet.methods.first?.total.calls == 12_000)
    }

    @Test func theFirstPageCountsFromTheFirstSample() {
        let history = ActivityHistory()
        let start = ContinuousClock.now
        history.add([:], at: start)
        let recent = history.recent(["m": Self.totals(10, failures: 1)], at: start + .seconds(2))
        #expect(recent.rate(recent.all.recent) == 5)
        #expect(recent.all.recent.failures == 1)
        #expect(Figures.errors(recent.all.recent) == "10 %")
    }

    @Test func aHistoryIsBounded() {
        let history = ActivityHistory()
        let start = ContinuousClock.now
        for step in 0..<1_000 { history.add(["m": Self.totals(step)], at: start + .seconds(step)) }
        #expect(history.recent([:], at: start + .seconds(1_000)).rates.count == 60)
    }
}
