struct Sparkline {
    private static let width = 200.0
    private static let height = 36.0

    private let values: [Double]

    init(_ values: [Double]) { self.values = values }

    /// Empty with fewer than two values.
    var svg: String {
        guard values.count > 1 else { return "" }
        let highest = max(values.max() ?? 0, .leastNormalMagnitude)
        let step = Self.width / Double(values.count - 1)
        let points = values.enumerated().map { index, value in
            let top = Self.height - 2 - (Self.height - 4) * max(0, value) / highest
            return "\(Self.tenths(Double(index) * step)),\(Self.tenths(top))"
        }
        let area =
            ["0,\(Self.tenths(Self.height))"] + points + ["\(Self.tenths(Self.width)),\(Self.tenths(Self.height))"]
        return """
            <svg viewBox="0 0 200 36" preserveAspectRatio="none" aria-hidden="true"><polygon class="area" \
            points="\(area.joined(separator: " "))"/><polyline class="line" \
            points="\(points.joined(separator: " "))"/></svg>
            """
    }

    private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
