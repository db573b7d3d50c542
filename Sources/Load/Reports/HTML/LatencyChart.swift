internal import Glibc

/// Each further nine (90 %, 99 %, 99.9 %) has the same width, so that the slowest calls are readable.
struct LatencyChart {
    struct Line {
        var name: String
        var label: String
        var histogram: LatencyHistogram
    }

    var lines: [Line]

    var markup: String {
        Chart.figure(legend: lines.map { ($0.name, $0.label) }, draw)
    }

    private func draw(in frame: Chart.Frame) -> Chart {
        var chart = Chart("Latency by percentile", in: frame)
        let nines = max(2, log10(Double(lines.map(\.histogram.count).max() ?? 1)))
        let across = Scale(kind: .linear, lowest: 0, highest: nines, start: frame.left, end: frame.right)
        let values = lines.flatMap { [$0.histogram.minimum, $0.histogram.maximum] }.compactMap(\.self).map(Double.init)
        let up = Scale.logarithmic(values, from: frame.bottom, to: frame.top)

        chart.addHorizontalAxis(
            LatencyChart.marks.filter { LatencyChart.nines($0) <= nines }.map { percentile in
                (across.position(LatencyChart.nines(percentile)), LatencyChart.label(percentile))
            },
            caption: "share of the calls that took at most this long"
        )
        chart.addVerticalAxis(up, caption: "latency") { Format.tick(Nanoseconds($0)) }
        for line in lines {
            let points = line.histogram.curve.map { point in
                (across.position(LatencyChart.nines(point.percentile)), up.position(Double(point.value)))
            }
            chart.addLine(points, as: line.name)
        }
        return chart
    }

    private static let marks = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999, 99.99999]

    /// 0 for 0 %, 1 for 90 %, 2 for 99 %.
    private static func nines(_ percentile: Double) -> Double {
        percentile >= 100 ? .infinity : log10(100 / (100 - percentile))
    }

    private static func label(_ percentile: Double) -> String {
        percentile == percentile.rounded() ? "\(Int(percentile)) %" : "\(percentile) %"
    }
}

extension Format {
    /// Without trailing zeros: `200 µs`, `5 ms`, `1 s`.
    static func tick(_ nanoseconds: Nanoseconds) -> String {
        let value = Double(nanoseconds)
        let units: [(factor: Double, name: String)] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
        let unit = units.first { value >= $0.factor * 0.999 } ?? (1, "ns")
        return "\(Int((value / unit.factor).rounded())) \(unit.name)"
    }
}
