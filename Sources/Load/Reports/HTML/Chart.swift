internal import Glibc
internal import MarvelDomain

struct Chart {
    /// In units of the view box. A letter is 12 units high in every frame.
    struct Frame {
        /// The style sheet shows it only on wide or only on narrow pages.
        let name: String
        let width: Double
        let height = 300.0
        let left: Double
        let top = 34.0
        var right: Double { width - 18 }
        var bottom: Double { height - 46 }

        static let wide = Frame(name: "wide", width: 860, left: 76)
        static let narrow = Frame(name: "narrow", width: 440, left: 58)
    }

    let frame: Frame
    private let title: String
    private var marks = ""

    init(_ title: String, in frame: Frame) {
        self.title = title
        self.frame = frame
    }

    /// One drawing for wide pages and one for narrow pages. The style sheet shows one of them.
    static func figure(legend: [(name: String, label: String)], _ draw: (Frame) -> Chart) -> String {
        let drawings = [Frame.wide, .narrow].map { draw($0).svg }.joined(separator: "\n")
        return "<div class=\"chart\">\n\(drawings)\n</div>" + (legend.count > 1 ? self.legend(legend) : "")
    }

    private static func legend(_ entries: [(name: String, label: String)]) -> String {
        let items = entries.map { entry in
            """
            <span><svg class="key" viewBox="0 0 26 8" aria-hidden="true"><line class="line \(entry.name)" x1="1" y1="4" \
            x2="25" y2="4"/></svg>\(entry.label.escapedForHTML)</span>
            """
        }
        return "\n<div class=\"legend\">\(items.joined(separator: "\n"))</div>"
    }

    // MARK: Axes

    mutating func addHorizontalAxis(_ ticks: [(position: Double, label: String)], caption: String) {
        for tick in ticks {
            line(from: (tick.position, frame.top), to: (tick.position, frame.bottom), as: "grid")
            text(tick.label, at: (tick.position, frame.bottom + 17), as: "tick", anchor: "middle")
        }
        text(caption, at: ((frame.left + frame.right) / 2, frame.height - 6), as: "caption", anchor: "middle")
    }

    mutating func addVerticalAxis(_ scale: Scale, caption: String, label: (Double) -> String) {
        for tick in scale.ticks {
            let y = scale.position(tick.value)
            line(from: (frame.left, y), to: (frame.right, y), as: tick.isMajor ? "grid" : "grid minor")
            if tick.isMajor { text(label(tick.value), at: (frame.left - 8, y + 4), as: "tick", anchor: "end") }
        }
        text(caption, at: (8, 16), as: "caption", anchor: "start")
    }

    // MARK: Data

    /// The line is interrupted where a point is missing.
    mutating func addLine(_ points: [(x: Double, y: Double)?], as name: String) {
        for run in points.split(whereSeparator: { $0 == nil }) {
            let places = run.compactMap(\.self).map { "\(Chart.number($0.x)),\(Chart.number($0.y))" }
            // The round end of a line shows a single point too.
            marks +=
                "<polyline class=\"line \(name)\" points=\"\((places + places.suffix(1)).joined(separator: " "))\"/>\n"
        }
    }

    var svg: String {
        """
        <svg class="\(frame.name)" viewBox="0 0 \(Int(frame.width)) \(Int(frame.height))" role="img" \
        aria-label="\(title.escapedForHTML)">
        \(marks)<rect class="frame" x="\(Chart.number(frame.left))" y="\(Chart.number(frame.top))" \
        width="\(Chart.number(frame.right - frame.left))" height="\(Chart.number(frame.bottom - frame.top))"/>
        </svg>
        """
    }

    // MARK: Parts

    private mutating func line(from start: (Double, Double), to end: (Double, Double), as name: String) {
        marks += """
            <line class="\(name)" x1="\(Chart.number(start.0))" y1="\(Chart.number(start.1))" \
            x2="\(Chart.number(end.0))" y2="\(Chart.number(end.1))"/>

            """
    }

    private mutating func text(_ text: String, at place: (Double, Double), as name: String, anchor: String) {
        marks += """
            <text class="\(name)" x="\(Chart.number(place.0))" y="\(Chart.number(place.1))" \
            text-anchor="\(anchor)">\(text.escapedForHTML)</text>

            """
    }

    private static func number(_ value: Double) -> String { Format.decimal(value, digits: 1) }
}

struct Scale {
    enum Kind {
        case linear
        case logarithmic
    }

    struct Tick {
        var value: Double
        var isMajor = true
    }

    let kind: Kind
    let lowest: Double
    let highest: Double
    let start: Double
    let end: Double

    func position(_ value: Double) -> Double {
        let part =
            switch kind {
            case .linear: (value - lowest) / (highest - lowest)
            case .logarithmic: log10(max(value, lowest) / lowest) / log10(highest / lowest)
            }
        return start + min(max(part, 0), 1) * (end - start)
    }

    var ticks: [Tick] {
        switch kind {
        case .linear:
            let step = Scale.roundStep(for: (highest - lowest) / 5)
            let first = (lowest / step).rounded(.up)
            let count = Int(((highest - lowest) / step).rounded(.down))
            return (0...count).map { Tick(value: (first + Double($0)) * step) }
        case .logarithmic:
            return logarithmicTicks
        }
    }

    private var logarithmicTicks: [Tick] {
        let decades = log10(highest / lowest)
        let labeled: Set<Int> = decades < 3.5 ? [1, 2, 5] : [1]
        var ticks: [Tick] = []
        var decade = Scale.powerOfTen(atMost: lowest)
        while decade <= highest {
            for digit in 1...9 where (lowest...highest).contains(decade * Double(digit)) {
                ticks.append(Tick(value: decade * Double(digit), isMajor: labeled.contains(digit)))
            }
            decade *= 10
        }
        return ticks
    }

    /// From 0 to a round value that is at least `highest`.
    static func linear(upTo highest: Double, from start: Double, to end: Double) -> Scale {
        let highest = highest > 0 ? highest : 1
        let step = roundStep(for: highest / 5)
        return Scale(kind: .linear, lowest: 0, highest: (highest / step).rounded(.up) * step, start: start, end: end)
    }

    /// Between round values (1, 2 or 5 of a decade), for all `values` above 0.
    static func logarithmic(_ values: [Double], from start: Double, to end: Double) -> Scale {
        let positive = values.filter { $0 > 0 }
        let (low, high) = (positive.min() ?? 1, positive.max() ?? 10)
        let lowest = roundBelow(low)
        var highest = roundBelow(high)
        if highest < high { highest = roundAbove(highest) }
        // A scale of less than half a decade would exaggerate small differences.
        while highest < lowest * 4.99 { highest = roundAbove(highest) }
        return Scale(kind: .logarithmic, lowest: lowest, highest: highest, start: start, end: end)
    }

    private static func roundStep(for value: Double) -> Double {
        let below = roundBelow(value)
        return below < value ? roundAbove(below) : below
    }

    private static func roundBelow(_ value: Double) -> Double {
        let decade = powerOfTen(atMost: value)
        return [5.0, 2, 1].map { $0 * decade }.first { $0 <= value } ?? decade
    }

    private static func roundAbove(_ round: Double) -> Double {
        let decade = powerOfTen(atMost: round * 1.001)
        return [1.0, 2, 5, 10].map { $0 * decade }.first { $0 > round * 1.001 } ?? decade * 10
    }

    private static func powerOfTen(atMost value: Double) -> Double {
        guard value > 0, value.isFinite else { return 1 }
        var power = 1.0
        while power > value { power /= 10 }
        while power * 10 <= value { power *= 10 }
        return power
    }
}
