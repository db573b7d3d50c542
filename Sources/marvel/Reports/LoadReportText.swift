internal import LoadEngine
internal import TerminalUI

/// A load test's report as people read it in a terminal.
struct LoadReportText {
    private let report: LoadReport
    private let style: ANSIStyle

    init(_ report: LoadReport, _ style: ANSIStyle) {
        self.report = report
        self.style = style
    }

    var lines: [String] {
        var lines = report.modelSentence.wrapped(toWidth: 100) + [""]
        for warning in report.warnings { lines += "! \(warning)".wrapped(toWidth: 100) }
        if !report.warnings.isEmpty { lines.append("") }
        if let limit = report.limit { lines += self.limit(limit) + [""] }
        lines += table(ReportTables.summary(report)) + [""]
        lines += table(ReportTables.latencies(report))
        if !report.result.recorder.failures.isEmpty { lines += [""] + table(ReportTables.failures(report)) }
        if !report.verdicts.isEmpty { lines += [""] + table(ReportTables.thresholds(report)) }
        return lines
    }

    private func limit(_ limit: LimitReport) -> [String] {
        let targets = limit.targets.map(\.description).joined(separator: " and ")
        let finding =
            switch (limit.limit, limit.isComplete) {
            case (let rate?, true): "\(Figure.rate(rate)) calls/s is the highest rate with \(targets)."
            case (let rate?, false): "\(Figure.rate(rate)) calls/s held \(targets); higher rates were not all tried."
            case (nil, true): "No rate held \(targets)."
            case (nil, false): "No rate that was tried held \(targets)."
            }
        return [style.apply(.heading, to: finding), ""] + table(ReportTables.limit(limit))
            + ["", "The rest tells of the run at \(limit.best.map { Figure.rate($0.rate) } ?? "no") calls/s."]
    }

    private func table(_ contents: ReportTable) -> [String] {
        let titles = contents.titles ?? contents.rows.first?.map { _ in "" } ?? []
        var table = Table(
            titles.enumerated().map { index, title in
                Table.Column(title: title, alignment: index > 0 && contents.alignsRight ? .right : .left)
            }
        )
        let rows = contents.rows.map { row in
            row.enumerated().map { index, text in
                Table.Cell(text: text.printable, look: index == 0 && contents.titles == nil ? .faint : .plain)
            }
        }
        let lines = table.lines(for: rows, lineWidth: nil, style: style)
        return contents.titles == nil ? Array(lines.dropFirst()) : lines
    }
}
