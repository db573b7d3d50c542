struct TimelineCharts {
    struct Line {
        var name: String
        var label: String
        var points: [Timeline.Point]
    }

    var all: Line
    /// Empty with only one operation.
    var operations: [Line]
    var elapsed: Duration
    var schedule: Schedule?

    var rate: String {
        let hasFailures = all.points.contains { $0.interval.failures > 0 }
        var legend = [(name: "whole", label: operations.isEmpty ? "succeeded" : "all successful calls")]
        legend += operations.map { ($0.name, $0.label) }
        if schedule != nil { legend.append(("wanted", "due")) }
        if hasFailures { legend.append(("errors", "failed")) }
        return Chart.figure(legend: legend) { drawRate(in: $0, hasFailures: hasFailures) }
    }

    private func drawRate(in frame: Chart.Frame, hasFailures: Bool) -> Chart {
        var chart = Chart("Calls per second over time", in: frame)
        let across = across(frame)
        let wanted = all.points.map { point in
            schedule.map { $0.rate(at: .nanoseconds(point.start + point.length / 2)) }
        }
        let errors = all.points.map { $0.perSecond($0.interval.failures) }
        let highest = (all.points.map(\.succeededPerSecond) + errors + wanted.compactMap(\.self)).max() ?? 1
        let up = Scale.linear(upTo: highest, from: frame.bottom, to: frame.top)
        func places(_ points: [Timeline.Point], _ values: [Double?]) -> [(x: Double, y: Double)?] {
            zip(points, values).map { point, value in value.map { (across.position(point.middle), up.position($0)) } }
        }
        chart.addHorizontalAxis(ticks(across), caption: TimelineCharts.caption)
        chart.addVerticalAxis(up, caption: "calls per second") { Format.short($0) }
        let rates = places(all.points, all.points.map(\.succeededPerSecond))
        chart.addArea(rates.compactMap(\.self), as: "whole")
        chart.addLine(rates, as: "whole")
        for line in operations {
            chart.addLine(places(line.points, line.points.map(\.succeededPerSecond)), as: line.name)
        }
        chart.addLine(places(all.points, wanted), as: "wanted")
        if hasFailures { chart.addLine(places(all.points, errors), as: "errors") }
        return chart
    }

    var latencies: [(title: String, markup: String)] {
        let percentiles = [("p50", 50.0), ("p99", 99.0)]
        guard !operations.isEmpty else {
            let curves = percentiles.map { Curve(name: $0, label: $0, line: all, percentile: $1) }
            return [("Latency over time", latency(curves, "Latency over time"))]
        }
        return percentiles.map { name, percentile in
            let curves = operations.map { Curve(name: $0.name, label: $0.label, line: $0, percentile: percentile) }
            let title = "Latency over time: \(name)"
            return (title, latency(curves, title))
        }
    }

    private struct Curve {
        var name: String
        var label: String
        var values: [(point: Timeline.Point, latency: Nanoseconds?)]

        init(name: String, label: String, line: Line, percentile: Double) {
            self.name = name
            self.label = label
            self.values = line.points.map { ($0, $0.interval.latency(atPercentile: percentile)) }
        }
    }

    private func latency(_ curves: [Curve], _ title: String) -> String {
        Chart.figure(legend: curves.map { ($0.name, $0.label) }) { frame in
            var chart = Chart(title, in: frame)
            let across = across(frame)
            let values = curves.flatMap { $0.values.compactMap { $0.latency.map(Double.init) } }
            let up = Scale.logarithmic(values, from: frame.bottom, to: frame.top)
            chart.addHorizontalAxis(ticks(across), caption: TimelineCharts.caption)
            chart.addVerticalAxis(up, caption: "latency") { Format.tick(Nanoseconds($0)) }
            for curve in curves {
                let places = curve.values.map { point, latency in
                    latency.map { (x: across.position(point.middle), y: up.position(Double($0))) }
                }
                chart.addLine(places, as: curve.name)
            }
            return chart
        }
    }

    private static let caption = "seconds from the start, by scheduled start"

    private func across(_ frame: Chart.Frame) -> Scale {
        let end = max(elapsed.inSeconds, all.points.last.map { ($0.start + $0.length).inSeconds } ?? 0, 0.001)
        return Scale(kind: .linear, lowest: 0, highest: end, start: frame.left, end: frame.right)
    }

    private func ticks(_ across: Scale) -> [(position: Double, label: String)] {
        let values = across.ticks.map(\.value)
        let step = values.count > 1 ? values[1] - values[0] : 1
        let digits = step < 0.0999 ? 2 : step < 0.999 ? 1 : 0
        return values.map { (across.position($0), Format.decimal($0, digits: digits)) }
    }
}

extension Timeline.Point {
    fileprivate var succeededPerSecond: Double { perSecond(interval.succeeded) }
}

extension Format {
    /// `500`, `20k`, `1.5M`.
    static func short(_ number: Double) -> String {
        let units: [(factor: Double, name: String)] = [(1e6, "M"), (1e3, "k")]
        guard let unit = units.first(where: { number >= $0.factor * 0.999 }) else {
            return decimal(number, digits: number < 10 && number != number.rounded() ? 1 : 0)
        }
        let value = number / unit.factor
        return decimal(value, digits: (value * 10).rounded().remainder(dividingBy: 10) == 0 ? 0 : 1) + unit.name
    }
}
