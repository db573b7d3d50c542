import MarvelDomain
import Testing

/// The text format, by examples of its specification.
@Suite struct PrometheusTextTests {
    private static func page(_ kind: MetricFamily.Kind, _ value: MetricFamily.Value, _ labels: [Label] = []) -> String {
        PrometheusText.page([MetricFamily("m", kind, help: "Help.", samples: [.init(labels, value)])])
    }

    @Test(
        arguments: [
            (0, "0"), (3, "3"), (-2, "-2"), (0.25, "0.25"), (1e-9, "1e-09"), (1_764_000_000, "1764000000"),
            (9.5e20, "9.5e+20"), (.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
        ] as [(Double, String)]
    )
    func aNumberIsWrittenSoThatItIsReadAgain(_ value: Double, _ text: String) {
        #expect(Self.page(.gauge, .number(value)) == "# HELP m Help.\n# TYPE m gauge\nm \(text)\n")
    }

    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("a\"b", "a\\\"b"), ("a\\b", "a\\\\b"), ("a\nb", "a\\nb"), ("Ünï", "Ünï"),
        ("x\"} 1\ny 2", "x\\\"} 1\\ny 2"),
    ])
    func aLabelCannotEndItsLine(_ value: String, _ text: String) {
        let page = Self.page(.counter, .number(1), [Label("a", value), Label("b", "c")])
        #expect(page == "# HELP m Help.\n# TYPE m counter\nm{a=\"\(text)\",b=\"c\"} 1\n")
    }

    @Test func theBucketsOfAHistogramAreCumulative() {
        let counts = HistogramCounts(HistogramBounds(seconds: [0.5, 1]), buckets: [2, 0, 3], sum: 7.25)
        let expected = """
            # HELP m Help.
            # TYPE m histogram
            m_bucket{a="b",le="0.5"} 2
            m_bucket{a="b",le="1"} 2
            m_bucket{a="b",le="+Inf"} 5
            m_sum{a="b"} 7.25
            m_count{a="b"} 5

            """
        #expect(Self.page(.histogram, .histogram(counts), [Label("a", "b")]) == expected)
    }

    @Test func aMetricWithoutSamplesIsNotNamed() {
        #expect(PrometheusText.page([MetricFamily("m", .gauge, help: "Help.", samples: [])]) == "")
    }

    @Test func aHelpTextStaysOnItsLine() {
        let family = MetricFamily("m", .gauge, help: "a\nb \"c\" \\", samples: [.init([], .number(1))])
        #expect(PrometheusText.page([family]) == "# HELP m a\\nb \"c\" \\\\\n# TYPE m gauge\nm 1\n")
    }
}
