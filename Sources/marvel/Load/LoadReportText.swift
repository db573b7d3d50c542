internal import Load
internal import MarvelDomain
internal import ProgramSupport
internal import TerminalUI

struct LoadReportText {
    let report: LoadReport
    let style: ANSIStyle
    let lineWidth: Int?

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

    /// Each block begins with the first column, which names the rows.
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

// Each name ends with the unit of its value, except counts and ratios. Scripts read the names, so they are stable.

extension JSONValue {
    init(_ report: LoadReport) {
        let (result, overall) = (report.result, report.result.overall)
        var members: [(key: String, value: JSONValue)] = [
            ("startedAt", .string(report.startedAt)),
            ("model", .string(report.plan.isOpen ? "open" : "closed")),
            ("ending", .string(report.ending.rawValue)),
            ("elapsedSeconds", .number(result.elapsed.inSeconds)),
            ("unreachable", JSONValue(overall.unreachable)),
            ("errorRatio", .number(result.errorRatio)),
            ("pagesPerSecond", .number(result.pagesPerSecond)),
            ("bytesPerSecond", .number(result.bytesPerSecond)),
        ]
        members += JSONValue.members(overall, in: result)
        members += [
            (
                "operations",
                .object(
                    result.recorder.operations.map {
                        (key: $0.operation.rawValue, value: .object(JSONValue.members($0.tally, in: result)))
                    }
                )
            ),
            ("errors", JSONValue.errors(result.recorder.failures)),
            ("pacing", report.plan.isOpen ? JSONValue(result.recorder.pacing) : .null),
            ("connections", JSONValue.connections(report)),
            (
                "tester",
                [
                    "cpuSeconds": .number(result.testerCPU.inSeconds), "cores": .number(result.testerCores),
                    "threads": JSONValue(report.testerThreads),
                ]
            ),
            ("thresholds", .array(report.verdicts.map(JSONValue.init))),
            ("limit", report.limit.map(JSONValue.init) ?? .null),
            ("timeline", JSONValue.timeline(report)),
            ("warnings", .array(report.warnings.map(JSONValue.string))),
            ("settings", JSONValue(report.plan)),
        ]
        self = .object(members)
    }

    private init(_ number: Int) {
        self = .integer(Int64(number))
    }

    private static func milliseconds(_ time: Nanoseconds?) -> JSONValue {
        time.map { .number(Double($0) / 1e6) } ?? .null
    }

    private init(_ histogram: LatencyHistogram) {
        var members: [(key: String, value: JSONValue)] = [
            ("count", JSONValue(histogram.count)), ("min", .milliseconds(histogram.minimum)),
            ("mean", .milliseconds(histogram.mean)),
        ]
        members += LoadReport.percentiles.map { percentile in
            (key: Format.percentile(percentile), value: .milliseconds(histogram.value(atPercentile: percentile)))
        }
        members.append(("max", .milliseconds(histogram.maximum)))
        self = .object(members)
    }

    private static func members(
        _ tally: OperationTally,
        in result: RunResult
    ) -> [(key: String, value: JSONValue)] {
        [
            ("calls", JSONValue(tally.calls)), ("callsPerSecond", .number(result.perSecond(tally.succeeded))),
            ("succeeded", JSONValue(tally.succeeded)), ("failed", JSONValue(tally.failed)),
            ("pages", JSONValue(tally.pages)), ("bytes", JSONValue(tally.bytes)),
            ("latencyMilliseconds", JSONValue(tally.latency)),
            ("firstPageMilliseconds", tally.firstPage.map { JSONValue($0) } ?? .null),
        ]
    }

    private static func errors(_ failures: [Failure: Int]) -> JSONValue {
        .array(
            failures.sorted { $0.key < $1.key }.map { failure, count in
                ["code": .string(failure.code), "reason": .string(failure.reason), "count": JSONValue(count)]
            }
        )
    }

    private init(_ pacing: Recorder.Pacing) {
        self = [
            "lateStarts": JSONValue(pacing.lateStarts),
            "missedStarts": JSONValue(pacing.missedStarts),
            "startDelayMilliseconds": pacing.startDelay.map { JSONValue($0) } ?? .null,
        ]
    }

    private static func connections(_ report: LoadReport) -> JSONValue {
        let tally = report.result.recorder.connections
        return [
            "count": JSONValue(report.plan.connections),
            "connectMilliseconds": .number(report.connectTime.inSeconds * 1_000),
            "lost": JSONValue(tally.lost),
            "reopened": JSONValue(tally.reopened),
            "failedAttempts": JSONValue(tally.failedAttempts),
        ]
    }

    private init(_ verdict: Verdict) {
        let (unit, factor) =
            switch verdict.threshold.metric {
            case .latency, .firstPage: ("milliseconds", 1e6)
            case .errors: ("ratio", 1)
            case .rate: ("callsPerSecond", 1)
            }
        self = [
            "threshold": .string(verdict.threshold.description),
            "value": verdict.value.map { .number($0 / factor) } ?? .null,
            "unit": .string(unit),
            "holds": .bool(verdict.holds),
        ]
    }

    private init(_ limit: LimitReport) {
        self = [
            "targets": .array(limit.targets.map { .string($0.description) }),
            "callsPerSecond": limit.limit.map(JSONValue.number) ?? .null,
            "complete": .bool(limit.isComplete),
            "steps": .array(
                limit.steps.map { step in
                    [
                        "askedCallsPerSecond": .number(step.rate),
                        "callsPerSecond": .number(step.result.callsPerSecond),
                        "latencyMilliseconds": JSONValue(step.result.overall.latency),
                        "errorRatio": .number(step.result.errorRatio),
                        "missedStarts": JSONValue(step.result.recorder.pacing.missedStarts),
                        "holds": .bool(step.holds),
                        "obstacle": step.obstacle.map(JSONValue.string) ?? .null,
                    ]
                }
            ),
        ]
    }

    private static func timeline(_ report: LoadReport) -> JSONValue {
        .array(
            report.points.map { point in
                [
                    "startSeconds": .number(point.start.inSeconds),
                    "callsPerSecond": .number(point.perSecond(point.interval.succeeded)),
                    "errorsPerSecond": .number(point.perSecond(point.interval.failures)),
                    "p50Milliseconds": .milliseconds(point.interval.latency(atPercentile: 50)),
                    "p99Milliseconds": .milliseconds(point.interval.latency(atPercentile: 99)),
                ]
            }
        )
    }

    private init(_ plan: LoadPlan) {
        self = [
            "servers": .array(plan.servers.map(JSONValue.string)),
            "mix": .object(plan.mix.parts.map { (key: $0.operation.rawValue, value: JSONValue($0.weight)) }),
            "pace": .string(plan.modelText),
            "schedule": plan.model.schedule.map { JSONValue($0) } ?? .null,
            "connections": JSONValue(plan.connections),
            "concurrency": JSONValue(plan.concurrency),
            "durationSeconds": plan.duration.map { .number($0.inSeconds) } ?? .null,
            "total": plan.total.map { JSONValue($0) } ?? .null,
            "warmupSeconds": .number(plan.warmUp.inSeconds),
            "timeoutSeconds": .number(plan.timeout.inSeconds),
            "queries": .array(plan.queries.map(JSONValue.string)),
            "pageSize": JSONValue(plan.pageSize),
            "maxPages": JSONValue(plan.maximumPages),
            "lists": JSONValue(plan.lists),
        ]
    }

    private init(_ schedule: Schedule) {
        guard schedule.length > .zero else {
            self = ["kind": .string("const"), "rps": .number(schedule.lastRate)]
            return
        }
        self = [
            "kind": .string("line"), "rpsStart": .number(schedule.firstRate), "rpsEnd": .number(schedule.lastRate),
            "seconds": .number(schedule.length.inSeconds),
        ]
    }
}
