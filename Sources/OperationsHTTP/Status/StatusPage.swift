internal import MarvelDomain

/// One file of HTML without scripts, which reloads itself.
struct StatusPage {
    private let report: StatusReport

    init(_ report: StatusReport) { self.report = report }

    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="refresh" content="5">
        <meta name="color-scheme" content="light dark">
        <title>\(stateWord) – \(report.title.escapedForHTML)</title>
        <style>\(StatusStyle.css)</style>
        </head>
        <body>
        \(header)
        <main>
        <section class="tiles">\(report.tiles.map(tile).joined())</section>
        \(methods)
        <section class="panels">\(report.panels.map(panel).joined())</section>
        </main>
        <footer>Rates, latencies and errors cover the last \(seconds). The page reloads every 5 s. \
        For programs: <a href="/metrics">metrics</a>, <a href="/readyz?verbose">readiness</a>, \
        <a href="/connections">connections</a>, <a href="/version">version</a>.</footer>
        </body>
        </html>

        """
    }

    private var stateWord: String {
        switch report.state {
        case .serving: "Serving"
        case .degraded: "Degraded"
        case .draining: "Draining"
        }
    }

    private var header: String {
        let (tone, reason) =
            switch report.state {
            case .serving: (StatusReport.Tone.good, "")
            case .degraded(let reason): (.bad, reason)
            case .draining: (.warning, "active calls finish; new calls are rejected")
            }
        return """
            <header>
            <h1>\(report.title.escapedForHTML)</h1>
            <p class="state \(tone.rawValue)">\(Self.sign(tone)) \(stateWord)</p>
            \(reason.isEmpty ? "" : "<p class=\"reason\">\(reason.escapedForHTML)</p>")
            <p class="facts">\(report.facts.map { "<span>\($0.escapedForHTML)</span>" }.joined(separator: " "))</p>
            </header>
            """
    }

    private static func sign(_ tone: StatusReport.Tone) -> String {
        switch tone {
        case .plain: ""
        case .good: "●"
        case .warning: "▲"
        case .bad: "✖"
        }
    }

    private var seconds: String {
        let count = Int(report.activity.seconds.rounded())
        return count == 1 ? "second" : "\(count) s"
    }

    private func tile(_ tile: StatusReport.Tile) -> String {
        """
        <div class="tile \(tile.tone.rawValue)"><h2>\(tile.name.escapedForHTML)</h2>\
        <p class="value">\(tile.value.escapedForHTML)</p><p class="note">\(tile.note.escapedForHTML)</p>\
        \(Sparkline(tile.history).svg)</div>

        """
    }

    private func panel(_ panel: StatusReport.Panel) -> String {
        """
        <div class="panel"><h2>\(panel.name.escapedForHTML)</h2><dl>\(panel.rows.map(row).joined())</dl></div>

        """
    }

    private func row(_ row: StatusReport.Row) -> String {
        let sign = row.tone == .plain ? "" : Self.sign(row.tone) + " "
        let bar = row.fraction.map { fraction in
            let percent = (min(1, max(0, fraction)) * 1_000).rounded() / 10
            return "<span class=\"bar\"><span style=\"width:\(percent)%\"></span></span>"
        }
        return """
            <div class="\(row.tone.rawValue)"><dt>\(row.name.escapedForHTML)</dt>\
            <dd>\(sign)\(row.value.escapedForHTML)\(bar ?? "")</dd></div>

            """
    }

    private var methods: String {
        let used = report.activity.methods.filter { $0.total.calls > 0 }
        guard !used.isEmpty else {
            return "<section class=\"calls\"><h2>Calls by method</h2><p>No finished calls yet.</p></section>"
        }
        return """
            <section class="calls"><h2>Calls by method</h2><div class="scroll"><table>
            <thead><tr><th>method</th><th>calls/s</th><th>median</th><th>p99</th><th>first message, p99</th>\
            <th>errors</th><th>since start</th></tr></thead>
            <tbody>\(used.map(methodRow).joined())</tbody>
            </table></div><p>Latency is the server's time, without waiting for callers to read a stream.</p>
            </section>
            """
    }

    private func methodRow(_ method: RecentActivity.Method) -> String {
        let durations = method.recent.durations
        let cells = [
            Figures.rate(report.activity.rate(method.recent)),
            durations.quantile(0.5).map(Figures.duration) ?? "–",
            durations.quantile(0.99).map(Figures.duration) ?? "–",
            method.recent.firstMessages.quantile(0.99).map(Figures.duration) ?? "–",
            Figures.errors(method.recent),
            Figures.count(method.total.calls),
        ]
        let tone = method.recent.failures > 0 ? " class=\"bad\"" : ""
        let name = method.name.split(separator: "/").last.map(String.init) ?? method.name
        return "<tr\(tone)><th title=\"\(method.name.escapedForHTML)\">\(name.escapedForHTML)</th>"
            + cells.map { "<td>\($0)</td>" }.joined() + "</tr>\n"
    }
}
