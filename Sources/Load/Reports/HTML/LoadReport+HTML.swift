internal import MarvelDomain

extension LoadReport {
    /// A page without network or scripts, in the reader's light or dark mode.
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
            \(Self.style)
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

    /// Lines differ in color and in dash, so that color is not needed.
    private static let style = String(decoding: PackageResources.report_css.dropLast(), as: UTF8.self)

    private var lead: String {
        "\(startedAt). \(modelSentence)"
    }

    package var modelSentence: String {
        if plan.isOpen {
            return """
                Open model, \(plan.modelText): calls start on schedule, and latency counts from the scheduled start, \
                so it includes waiting (no coordinated omission).
                """
        }
        return """
            Closed model: \(plan.modelText); each call starts when the one before it ends, and latency counts from \
            the start of the call. A slow server also slows down this test: use --rps to see how long callers would wait.
            """
    }

    private var cards: [(title: String, value: String)] {
        let overall = result.overall
        func latency(_ percentile: Double) -> String {
            overall.latency.value(atPercentile: percentile).map(Format.time) ?? "none"
        }
        var cards = [
            ("calls per second", Format.rate(result.callsPerSecond)), ("p50", latency(50)), ("p99", latency(99)),
            ("p99.9", latency(99.9)), ("errors", Format.percent(result.errorRatio)),
        ]
        if let limit { cards.insert(("highest rate within limits", limit.limit.map(Format.rate) ?? "none"), at: 0) }
        return cards
    }

    private var sections: [HTMLBlocks.Section] {
        var sections: [HTMLBlocks.Section] = []
        if !verdicts.isEmpty { sections.append(("Thresholds", HTMLBlocks.table(ReportTables.thresholds(self)))) }
        if let limit { sections.append(("Search for the limit", HTMLBlocks.table(ReportTables.limit(limit)))) }
        sections += charts
        sections.append(("Summary", HTMLBlocks.table(ReportTables.summary(self))))
        sections.append(("Latencies", HTMLBlocks.table(ReportTables.latencies(self))))
        if !result.recorder.failures.isEmpty {
            sections.append(("Errors", HTMLBlocks.table(ReportTables.failures(self))))
        }
        sections.append(("Settings", HTMLBlocks.table(ReportTables.settings(self))))
        return sections
    }

    private var charts: [HTMLBlocks.Section] {
        let hasLatencies = !result.overall.latency.isEmpty
        var sections: [HTMLBlocks.Section] = []
        if hasLatencies { sections.append(("Latency distribution", LatencyChart(lines: distributions).markup)) }
        guard points.count > 1 else { return sections }
        let charts = TimelineCharts(
            points: points,
            elapsed: min(result.elapsed, plan.duration ?? result.elapsed),
            schedule: limit == nil ? plan.model.schedule : nil
        )
        sections.append(("Rate over time", charts.rate))
        if hasLatencies { sections.append(("Latency over time", charts.latency)) }
        return sections
    }

    private var distributions: [LatencyChart.Line] {
        let operations = result.recorder.operations
        let isMixed = operations.count > 1
        var lines = [
            LatencyChart.Line(name: "whole", label: isMixed ? "all" : "whole call", histogram: result.overall.latency)
        ]
        for (operation, tally) in operations {
            if isMixed, !tally.latency.isEmpty {
                lines.append(
                    LatencyChart.Line(name: operation.className, label: operation.rawValue, histogram: tally.latency)
                )
            }
            if let first = tally.firstPage, !first.isEmpty {
                let label = isMixed ? "\(operation.rawValue), first page" : "first page"
                lines.append(LatencyChart.Line(name: "\(operation.className) first", label: label, histogram: first))
            }
        }
        return lines
    }
}

extension LoadOperation {
    fileprivate var className: String { "op-\(rawValue)" }
}

enum HTMLBlocks {
    typealias Section = (title: String, body: String)

    static func section(_ section: Section) -> String {
        "<section>\n<h2>\(section.title.escapedForHTML)</h2>\n<div class=\"scroll\">\n\(section.body)\n</div>\n</section>"
    }

    static func cards(_ cards: [(title: String, value: String)]) -> String {
        let items = cards.map { card in
            "<div class=\"card\"><b>\(card.value.escapedForHTML)</b><span>\(card.title.escapedForHTML)</span></div>"
        }
        return "<div class=\"cards\">\n\(items.joined(separator: "\n"))\n</div>"
    }

    static func warnings(_ texts: [String]) -> String {
        texts.map { "<p class=\"warning\">\($0.escapedForHTML)</p>\n" }.joined()
    }

    static func table(_ table: ReportTable) -> String {
        var text = table.titles == nil ? "<table>\n" : "<table class=\"titled\">\n"
        if let titles = table.titles {
            let cells = titles.enumerated().map { cell("th", $1, classes: numberClass(at: $0, in: table)) }
            text += "<thead><tr>\(cells.joined())</tr></thead>\n"
        }
        text += "<tbody>\n"
        for (index, row) in table.rows.enumerated() {
            let verdict = table.verdicts.indices.contains(index) ? table.verdicts[index] : nil
            text += "<tr>\(cells(row, of: table, verdict: verdict).joined())</tr>\n"
        }
        return text + "</tbody>\n</table>"
    }

    private static func cells(_ row: [String], of table: ReportTable, verdict: Bool?) -> [String] {
        row.enumerated().map { index, text in
            var classes = numberClass(at: index, in: table)
            if let verdict, index == row.count - 1 { classes.append(verdict ? "holds" : "fails") }
            let title = table.titles.map { $0[index] } ?? ""
            return cell("td", text, classes: classes, title: index > 0 ? title : "")
        }
    }

    private static func numberClass(at column: Int, in table: ReportTable) -> [String] {
        column > 0 && table.alignsRight ? ["number"] : []
    }

    private static func cell(_ name: String, _ text: String, classes: [String], title: String = "") -> String {
        let style = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
        let label = title.isEmpty ? "" : " data-title=\"\(title.escapedForHTML)\""
        return "<\(name)\(style)\(label)>\(text.escapedForHTML)</\(name)>"
    }
}
