/// All calls, by the times at which they were due.
struct TimelineCharts {
    var points: [Timeline.Point]
    var elapsed: Duration
    var schedule: Schedule?

    var rate: String {
        let hasFailures = points.contains { $0.interval.failures > 0 }
        var legend = [(name: "whole", label: "succeeded")]
        if schedule != nil { legend.append(("wanted", "due")) }
        if hasFailures { legend.append(("errors", "failed")) }
        return Chart.figure(legend: legend) { drawRate(in: $0, hasFailures: hasFailures) }
    }

    private func drawRate(in frame: Chart.Frame, hasFailures: Bool) -> Chart {
        var chart = Chart("Calls per second over time", in: frame)
        let across = across(frame)
        let wanted = points.map { point in
            schedule.map { $0.rate(at: .nanoseconds(point.start + point.length / 2)) }
        }
        let succeeded = points.map { $0.perSecond($0.interval.succeeded) }
        let errors = points.map { $0.perSecond($0.interval.failures) }
        let highest = (succeeded + errors + wanted.compactMap(\.self)).max() ?? 1
        let up = Scale.linear(upTo: highest, from: frame.bottom, to: frame.top)
        func places(_ values: [Double?]) -> [(x: Double, y: Double)?] {
            zip(points, values).map { point, value in value.map { (across.position(point.middle), up.position($0)) } }
        }
        chart.addHorizontalAxis(ticks(across), caption: TimelineCharts.caption)
        chart.addVerticalAxis(up, caption: "calls per second") { Format.short($0) }
        chart.addLine(places(succeeded), as: "whole")
        chart.addLine(places(wanted), as: "wanted")
        if hasFailures { chart.addLine(places(errors), as: "errors") }
        return chart
    }

    var latency: String {
        let curves = [("p50", 50.0), ("p99", 99.0)].map { name, percentile in
            (name: name, values: points.map { $0.interval.latency(atPercentile: percentile).map(Double.init) })
        }
        return Chart.figure(legend: curves.map { ($0.name, $0.name) }) { frame in
            var chart = Chart("Latency over time", in: frame)
            let across = across(frame)
            let up = Scale.logarithmic(
                curves.flatMap(\.values).compactMap(\.self),
                from: frame.bottom,
                to: frame.top
            )
            chart.addHorizontalAxis(ticks(across), caption: TimelineCharts.caption)
            chart.addVerticalAxis(up, caption: "latency") { Format.tick(Nanoseconds($0)) }
            for curve in curves {
                let places = zip(points, curve.values).map { point, value in
                    value.map { (x: across.position(point.middle), y: up.position($0)) }
                }
                chart.addLine(places, as: curve.name)
            }
            return chart
        }
    }

    private static let caption = "seconds from the start, by scheduled start"

    private func across(_ frame: Chart.Frame) -> Scale {
        let end = max(elapsed.inSeconds, points.last.map { ($0.start + $0.length).inSeconds } ?? 0, 0.001)
        return Scale(kind: .linear, lowest: 0, highest: end, start: frame.left, end: frame.right)
    }

    private func ticks(_ across: Scale) -> [(position: Double, label: String)] {
        let values = across.ticks.map(\.value)
        let step = values.count > 1 ? values[1] - values[0] : 1
        let digits = step < 0.0999 ? 2 : step < 0.999 ? 1 : 0
        return values.map { (across.position($0), Format.decimal($0, digits: digits)) }
    }
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
