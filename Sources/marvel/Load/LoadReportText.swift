internal import Load
internal import ProgramSupport
internal import TerminalUI

struct LoadReportText {
    private let report: LoadReport
    private let style: ANSIStyle
    /// Nil for other outputs, whose tables are not split.
    private let lineWidth: Int?

    init(_ report: LoadReport, _ style: ANSIStyle, lineWidth: Int? = nil) {
        self.report = report
        self.style = style
        self.lineWidth = lineWidth
    }

    var lines: [String] {
        let width = min(lineWidth ?? 100, 100)
        var lines = report.modelSentence.wrapped(toWidth: width) + [""]
        for warning in report.warnings { lines += "! \(warning)".wrapped(toWidth: width) }
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
            case (let rate?, true): "\(Format.rate(rate)) calls/s is the highest rate that met \(targets)."
            case (let rate?, false): "\(Format.rate(rate)) calls/s met \(targets); not all higher rates were tried."
            case (nil, true): "No rate met \(targets)."
            case (nil, false): "No tried rate met \(targets)."
            }
        return [style.apply(.heading, to: finding), ""] + table(ReportTables.limit(limit))
            + ["", "The tables below show the run at \(limit.best.map { Format.rate($0.rate) } ?? "no") calls/s."]
    }

    // MARK: Tables

    private func table(_ contents: ReportTable) -> [String] {
        guard let titles = contents.titles else {
            let facts = contents.rows.map { (name: $0[0], value: $0[1].printable) }
            return Facts(facts, style: style).lines(lineWidth: lineWidth)
        }
        let blocks = columnBlocks(of: contents, titles)
        return Array(blocks.map { block(of: contents, titles, columns: $0) }.joined(separator: [""]))
    }

    /// The columns in as many blocks as the width requires. Each block begins with the first column, which names the
    /// rows.
    private func columnBlocks(of contents: ReportTable, _ titles: [String]) -> [[Int]] {
        let widths = titles.indices.map { column in
            contents.rows.reduce(titles[column].displayWidth) { max($0, $1[column].printable.displayWidth) }
        }
        guard let lineWidth else { return [Array(titles.indices)] }
        var blocks: [[Int]] = []
        var (block, used) = ([0], widths[0])
        for column in titles.indices.dropFirst() {
            if used + 2 + widths[column] > lineWidth, block.count > 1 {
                blocks.append(block)
                (block, used) = ([0], widths[0])
            }
            block.append(column)
            used += 2 + widths[column]
        }
        return blocks + [block]
    }

    private func block(of contents: ReportTable, _ titles: [String], columns: [Int]) -> [String] {
        var table = Table(
            columns.map { column in
                Table.Column(titles[column], column > 0 && contents.alignsRight ? .right : .left)
            }
        )
        let rows = contents.rows.enumerated().map { number, row in
            columns.map { column in
                Table.Cell(row[column].printable, role(ofRow: number, column, in: contents))
            }
        }
        return table.lines(for: rows, lineWidth: lineWidth, style: style)
    }

    private func role(ofRow row: Int, _ column: Int, in contents: ReportTable) -> ANSIStyle.Role {
        guard contents.verdicts.indices.contains(row), column == contents.rows[row].count - 1 else { return .plain }
        return contents.verdicts[row] ? .success : .failure
    }
}
