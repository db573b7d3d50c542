internal import ProgramSupport

/// All samples of a run, by metric and by tenth.
package struct Figures: Sendable {
    package static let tenthCount = 10

    /// In the order in which they were first added.
    package private(set) var metrics: [Metric] = []
    private var samples: [Metric: [[Double]]] = [:]

    package init() {}

    /// - Parameters:
    ///   - value: The sample.
    ///   - metric: The metric that it belongs to.
    ///   - tenth: From 0; a sample of the warm-up, nil, is dropped.
    package mutating func add(_ value: Double, to metric: Metric, in tenth: Int?) {
        guard let tenth, (0..<Figures.tenthCount).contains(tenth) else { return }
        if samples[metric] == nil { metrics.append(metric) }
        samples[metric, default: Array(repeating: [], count: Figures.tenthCount)][tenth].append(value)
    }

    /// The figure of each tenth; nil where there is no sample.
    package func tenths(of metric: Metric) -> [Double?] {
        samples[metric]?.map(medianOf) ?? Array(repeating: nil, count: Figures.tenthCount)
    }

    /// Finds the metrics whose last tenth is above its bar.
    ///
    /// - Parameter isComplete: Whether the first and the last tenth must have a figure; else the first and the last one
    ///   that there is are compared.
    /// - Returns: A line of text for each.
    package func failures(isComplete: Bool) -> [String] {
        metrics.compactMap { failure(of: $0, isComplete: isComplete) }
    }

    private func failure(of metric: Metric, isComplete: Bool) -> String? {
        guard let bar = metric.bar else { return nil }
        let tenths = tenths(of: metric)
        let known = tenths.compactMap(\.self)
        guard let first = known.first, let last = known.last,
            !isComplete || (tenths.first != .some(nil) && tenths.last != .some(nil))
        else { return "\(metric.name): no measurement in the first or last tenth" }
        let limit = bar.limit(of: first)
        guard last > limit else { return nil }
        return "\(metric.name) rose from \(short(first)) to \(short(last)) \(metric.unit), the limit is \(short(limit))"
    }

    /// A row for each metric: its tenths, and the last one as a multiple of the first.
    package func table() -> String {
        let header = ["", "unit"] + (1...Figures.tenthCount).map { "\($0)/10" } + ["last/first"]
        let rows = metrics.map { metric in
            let tenths = tenths(of: metric)
            return [metric.name, metric.unit] + tenths.map { $0.map(short) ?? "-" } + [ratio(of: tenths)]
        }
        var table = Table(header.enumerated().map { Table.Column($1, $0 == 0 ? .left : .right) })
        return table.lines(for: rows.map { $0.map { Table.Cell($0) } }).joined(separator: "\n")
    }

    private func ratio(of tenths: [Double?]) -> String {
        guard let first = tenths.first ?? nil, let last = tenths.last ?? nil, first > 0 else { return "-" }
        return "\((last / first * 100).rounded() / 100)"
    }
}

/// A number with three digits that matter, for tables.
package func short(_ value: Double) -> String {
    switch abs(value) {
    case 100...: "\(Int64(value.rounded()))"
    case 10..<100: "\((value * 10).rounded() / 10)"
    default: "\((value * 100).rounded() / 100)"
    }
}
