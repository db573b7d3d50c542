import Foundation

extension [Rounds.Row] {
    /// The rows for people, those of a scenario together.
    var table: String {
        let headings = [
            "scenario", "server", "CPU us", "answers/s", "p50 us", "p99 us", "p99.9 us", "MB", "busy", "x floor",
        ]
        var table = TextTable(headings)
        var previous = ""
        for row in self {
            let figures = row.median
            table.add(
                [
                    row.scenario == previous ? "" : row.scenario, row.server.rawValue,
                    String(format: "%.2f", figures.cpu), String(format: "%.0f", figures.answersPerSecond),
                    latency(figures.p50), latency(figures.p99), latency(figures.p999),
                    String(format: "%.1f", figures.resident),
                    String(format: "%.0f%%", figures.busy * 100),
                    row.toFloor.map { String(format: "%.2f", $0) } ?? "",
                ]
            )
            previous = row.scenario
        }
        return table.description
            + "\nCPU: of the server, for each answer. busy: of a core; below 100 % the server waited, or others ran."
            + "\nx floor: the CPU as a multiple of that of a ready page in batches of the same size."
    }

    /// 0 stands for no call that ended in time.
    private func latency(_ microseconds: Double) -> String {
        microseconds == 0 ? "-" : String(format: microseconds < 100 ? "%.1f" : "%.0f", microseconds)
    }
}

extension [Bar] {
    /// The bars for people, with their verdicts.
    var table: String {
        var table = TextTable(["bar", "measured", "limit", "verdict"])
        for bar in self {
            let verdict = bar.isReached ? "reached" : "NOT REACHED"
            let limit = (bar.isLimitLeast ? "at least " : "at most ") + Bar.text("%.2f", bar.limit, bar.unit)
            table.add([bar.title, Bar.text("%.2f", bar.value, bar.unit), limit, verdict])
        }
        return table.description
    }
}

extension Bar {
    static func text(_ format: String, _ value: Double, _ unit: String) -> String {
        let number = String(format: format, value)
        return unit.isEmpty ? number : "\(number) \(unit)"
    }
}
