extension LoadReport {
    /// The whole report as one page that needs no network and no scripts, and follows the reader's light or dark.
    package var html: String {
        let title = "marvel load: \(plan.mix), \(plan.modelText)"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title.escapedForHTML)</title>
            <style>
            \(HTMLStyle.text)
            </style>
            </head>
            <body>
            <main>
            <h1>Load test: \(plan.mix.description.escapedForHTML)</h1>
            <p class="lead">\(lead.escapedForHTML)</p>
            \(HTMLBlocks.warnings(warnings))\(HTMLBlocks.cards(cards))
            \(sections.map(HTMLBlocks.section).joined(separator: "\n"))
            </main>
            </body>
            </html>

            """
    }

    private var lead: String {
        "\(startedAt). \(modelSentence)"
    }

    /// What the latencies count from, in words.
    package var modelSentence: String {
        if plan.isOpen {
            return """
                Open model, \(plan.modelText): calls start by the clock, and latencies count from when a call was due, \
                so waiting is in them (no coordinated omission).
                """
        }
        return """
            Closed model: \(plan.modelText); each call starts when one before it has ended, and latencies count from \
            the start of the call. A slow server slows this test down too: use --rps to see what callers would wait.
            """
    }

    private var cards: [(title: String, value: String)] {
        let overall = result.overall
        func latency(_ percentile: Double) -> String {
            overall.latency.value(atPercentile: percentile).map(Figure.time) ?? "none"
        }
        var cards = [
            ("calls per second", Figure.rate(result.callsPerSecond)), ("p50", latency(50)), ("p99", latency(99)),
            ("p99.9", latency(99.9)), ("errors", Figure.percent(result.errorRatio)),
        ]
        if let limit { cards.insert(("highest rate that holds", limit.limit.map(Figure.rate) ?? "none"), at: 0) }
        return cards
    }

    private var sections: [HTMLBlocks.Section] {
        var sections: [HTMLBlocks.Section] = []
        if !verdicts.isEmpty { sections.append(("Thresholds", HTMLBlocks.table(ReportTables.thresholds(self)))) }
        if let limit { sections.append(("Search for the limit", HTMLBlocks.table(ReportTables.limit(limit)))) }
        let overall = result.overall
        if !overall.latency.isEmpty {
            var lines = [LatencyChart.Line(name: "whole", label: "whole call", histogram: overall.latency)]
            if let first = overall.firstPage, !first.isEmpty {
                lines.append(LatencyChart.Line(name: "first", label: "first page", histogram: first))
            }
            sections.append(("Latency distribution", LatencyChart(lines: lines).svg))
        }
        let schedule: Schedule? =
            if case .open(let schedule) = plan.model, limit == nil { schedule } else { nil }
        let charts = TimelineCharts(points: points, elapsed: result.elapsed, schedule: schedule)
        if points.count > 1 {
            sections.append(("Rate over time", charts.rate))
            if !overall.latency.isEmpty { sections.append(("Latency over time", charts.latency)) }
        }
        sections.append(("Summary", HTMLBlocks.table(ReportTables.summary(self))))
        sections.append(("Latencies", HTMLBlocks.table(ReportTables.latencies(self))))
        if !result.recorder.failures.isEmpty {
            sections.append(("Errors", HTMLBlocks.table(ReportTables.failures(self))))
        }
        sections.append(("Settings", HTMLBlocks.table(ReportTables.settings(self))))
        sections.append(("Machine", HTMLBlocks.table(ReportTables.machine(machine))))
        return sections
    }
}
