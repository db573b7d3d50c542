/// The run over time: rates in one drawing, latencies in the other.
struct TimelineCharts {
    var points: [Timeline.Point]
    var elapsed: Duration
    /// Calls per second that were asked for, by time; nil in the closed model.
    var schedule: Schedule?

    var rate: String {
        var chart = Chart("Calls per second over time")
        let wanted = points.map { point in
            schedule.map { $0.rate(at: .nanoseconds(point.start + point.length / 2)) }
        }
        let rates = points.map { $0.perSecond($0.interval.succeeded) }
        let errors = points.map { $0.perSecond($0.interval.failures) }
        let up = Scale.linear(upTo: (rates + wanted.compactMap(\.self)).max() ?? 1, from: Chart.bottom, to: Chart.top)
        chart.addHorizontalAxis(ticks, caption: "seconds from the start")
        chart.addVerticalAxis(up, caption: "calls per second") { Figure.short($0) }
        chart.addArea(zip(points, rates).map { (across.position($0.middle), up.position($1)) }, as: "rate")
        chart.addLine(zip(points, rates).map { (across.position($0.middle), up.position($1)) }, as: "rate")
        chart.addLine(
            zip(points, wanted).map { point, rate in rate.map { (across.position(point.middle), up.position($0)) } },
            as: "wanted"
        )
        var legend = [("rate", "succeeded")]
        if schedule != nil { legend.append(("wanted", "due")) }
        if errors.contains(where: { $0 > 0 }) {
            chart.addLine(zip(points, errors).map { (across.position($0.middle), up.position($1)) }, as: "errors")
            legend.append(("errors", "failed"))
        }
        if legend.count > 1 { chart.addLegend(legend) }
        return chart.svg
    }

    var latency: String {
        var chart = Chart("Latency over time")
        let lines = [("p50", "p50", 50.0), ("p99", "p99", 99.0)].map { name, label, percentile in
            (name: name, label: label, values: points.map { $0.interval.latency(atPercentile: percentile) })
        }
        let values = lines.flatMap { $0.values.compactMap { $0.map(Double.init) } }
        let up = Scale.logarithmic(values, from: Chart.bottom, to: Chart.top)
        chart.addHorizontalAxis(ticks, caption: "seconds from the start")
        chart.addVerticalAxis(up, caption: "latency") { Figure.tick(Nanoseconds($0)) }
        for line in lines {
            let places = zip(points, line.values).map { point, value in
                value.map { (across.position(point.middle), up.position(Double($0))) }
            }
            chart.addLine(places, as: line.name)
        }
        chart.addLegend(lines.map { ($0.name, $0.label) })
        return chart.svg
    }

    private var across: Scale {
        let end = max(elapsed.inSeconds, points.last.map { ($0.start + $0.length).inSeconds } ?? 0, 0.001)
        return Scale(kind: .linear, lowest: 0, highest: end, start: Chart.left, end: Chart.right)
    }

    private var ticks: [(position: Double, label: String)] {
        let values = across.ticks.map(\.value)
        let step = values.count > 1 ? values[1] - values[0] : 1
        let digits = step < 0.0999 ? 2 : step < 0.999 ? 1 : 0
        return values.map { (across.position($0), Figure.decimal($0, digits: digits)) }
    }
}

extension Figure {
    /// A round rate in little room: `500`, `20k`, `1.5M`.
    static func short(_ number: Double) -> String {
        let units: [(factor: Double, name: String)] = [(1e6, "M"), (1e3, "k")]
        guard let unit = units.first(where: { number >= $0.factor * 0.999 }) else {
            return decimal(number, digits: number < 10 && number != number.rounded() ? 1 : 0)
        }
        let value = number / unit.factor
        return decimal(value, digits: (value * 10).rounded().remainder(dividingBy: 10) == 0 ? 0 : 1) + unit.name
    }
}
