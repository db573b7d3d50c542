package struct ReportTable: Sendable, Hashable {
    /// Nil if the first column names the other ones.
    package var titles: [String]?
    package var rows: [[String]]
    package var alignsRight: Bool
    /// Whether each row's last cell is a success; empty if these cells are not verdicts.
    package var verdicts: [Bool] = []
}

package enum ReportTables {
    package static func summary(_ report: LoadReport) -> ReportTable {
        let (result, overall) = (report.result, report.result.overall)
        let perCall = overall.calls > 0 ? " (\(Format.time(result.testerCPU / overall.calls)) a call)" : ""
        var rows = [
            ["calls", "\(Format.count(overall.calls)) in \(Format.time(result.elapsed))"],
            ["rate", "\(Format.rate(result.callsPerSecond)) calls/s\(overall.failed > 0 ? " succeeded" : "")"],
        ]
        if overall.pages > 0 {
            rows.append(["pages", "\(Format.count(overall.pages)), \(Format.rate(result.pagesPerSecond)) pages/s"])
        }
        rows += [
            ["bytes", "\(Format.bytes(Double(overall.bytes))), \(Format.bytes(result.bytesPerSecond))/s received"],
            ["errors", "\(Format.count(overall.failed)) (\(Format.percent(result.errorRatio)))"],
            ["connections", connections(report)],
        ]
        if report.plan.isOpen { rows.append(["starts", starts(result.recorder.pacing)]) }
        rows.append(
            ["tester", "\(Format.decimal(result.testerCores, digits: 2)) of \(report.cores) cores\(perCall)"]
        )
        return ReportTable(rows: rows, alignsRight: false)
    }

    private static func connections(_ report: LoadReport) -> String {
        let tally = report.result.recorder.connections
        var text = "\(Format.count(report.plan.connections)), opened in \(Format.time(report.connectTime))"
        if tally.lost > 0 {
            text += "; \(Format.count(tally.lost)) lost, \(Format.count(tally.reopened)) opened again"
        }
        return text
    }

    private static func starts(_ pacing: Recorder.Pacing) -> String {
        let delay = pacing.startDelay.flatMap { $0.value(atPercentile: 99) }.map(Format.time) ?? "none"
        return """
            99 % at most \(delay) late; \(Format.count(pacing.lateStarts)) waited for a free slot, \
            \(Format.count(pacing.missedStarts)) missed
            """
    }

    package static func latencies(_ report: LoadReport) -> ReportTable {
        let operations = report.result.recorder.operations
        var rows: [[String]] = []
        for (operation, tally) in operations {
            rows.append(latencyRow(operation.rawValue, tally.latency, in: report.result, calls: tally.succeeded))
            if let first = tally.firstPage {
                rows.append(latencyRow("\(operation.rawValue), first page", first, in: report.result, calls: nil))
            }
        }
        if operations.count > 1 {
            let overall = report.result.overall
            rows.append(latencyRow("all", overall.latency, in: report.result, calls: overall.succeeded))
        }
        let titles = ["", "calls/s", "mean"] + LoadReport.percentiles.map(Format.percentile) + ["max"]
        return ReportTable(titles: titles, rows: rows, alignsRight: true)
    }

    private static func latencyRow(
        _ name: String,
        _ histogram: LatencyHistogram,
        in result: RunResult,
        calls: Int?
    ) -> [String] {
        let times =
            [histogram.mean] + LoadReport.percentiles.map { histogram.value(atPercentile: $0) } + [histogram.maximum]
        let rate = calls.map { Format.rate(result.perSecond($0)) } ?? ""
        return [name, rate] + times.map { $0.map(Format.time) ?? "-" }
    }

    package static func failures(_ report: LoadReport) -> ReportTable {
        let failures = report.result.recorder.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let calls = max(report.result.overall.calls, 1)
        return ReportTable(
            titles: ["status", "reason", "calls", "of all"],
            rows: failures.map { failure, count in
                let reason = failure.reason.isEmpty ? "-" : failure.reason
                return [failure.code, reason, Format.count(count), Format.percent(Double(count) / Double(calls))]
            },
            alignsRight: false
        )
    }

    package static func thresholds(_ report: LoadReport) -> ReportTable {
        ReportTable(
            titles: ["threshold", "measured", ""],
            rows: report.verdicts.map { [$0.threshold.description, $0.valueText, $0.holds ? "holds" : "FAILS"] },
            alignsRight: false,
            verdicts: report.verdicts.map(\.holds)
        )
    }

    package static func limit(_ limit: LimitReport) -> ReportTable {
        ReportTable(
            titles: ["target rate", "calls/s", "p50", "p99", "errors", "missed", "verdict"],
            rows: limit.steps.map { step in
                let latency = step.result.overall.latency
                return [
                    Format.rate(step.rate), Format.rate(step.result.callsPerSecond),
                    latency.value(atPercentile: 50).map(Format.time) ?? "-",
                    latency.value(atPercentile: 99).map(Format.time) ?? "-",
                    Format.percent(step.result.errorRatio),
                    Format.count(step.result.recorder.pacing.missedStarts),
                    step.obstacle ?? "holds",
                ]
            },
            alignsRight: true,
            verdicts: limit.steps.map(\.holds)
        )
    }

    package static func settings(_ report: LoadReport) -> ReportTable {
        let plan = report.plan
        var rows = [
            ["servers", plan.servers.joined(separator: ", ")],
            ["mix", plan.mix.description],
            ["model", (plan.isOpen ? "open, " : "closed, ") + plan.modelText],
            ["connections", Format.count(plan.connections)],
            ["in flight on each", Format.count(plan.concurrency)],
            ["duration", plan.duration.map(Format.time) ?? "until the total"],
        ]
        if let total = plan.total { rows.append(["total", Format.count(total)]) }
        rows += [
            ["warm-up", plan.warmUp == .zero ? "none" : Format.time(plan.warmUp) + ", not counted"],
            ["timeout", Format.time(plan.timeout)],
            ["retries", "none: each failed call counts as failed"],
        ]
        if plan.mix.operations.contains(where: \.isSearch) {
            rows.append(["queries", queries(plan.queries)])
            rows.append(["page size", plan.pageSize == 0 ? "the server's" : "\(plan.pageSize)"])
        }
        if plan.mix.operations.contains(where: \.hasFirstPage) {
            rows.append(["pages of a result", plan.maximumPages == 0 ? "all" : "at most \(plan.maximumPages)"])
        }
        if plan.mix.operations.contains(where: { !$0.isSearch }) { rows.append(["lists", Format.count(plan.lists)]) }
        return ReportTable(rows: rows, alignsRight: false)
    }

    private static func queries(_ queries: [String]) -> String {
        let shown = queries.prefix(8).joined(separator: ", ")
        return queries.count > 8 ? "\(shown) and \(Format.count(queries.count - 8)) more" : shown
    }
}

extension Verdict {
    package var valueText: String {
        guard let value else { return "none" }
        return switch threshold.metric {
        case .latency, .firstPage: Format.time(Nanoseconds(value))
        case .errors: Format.percent(value)
        case .rate: Format.rate(value)
        }
    }
}
