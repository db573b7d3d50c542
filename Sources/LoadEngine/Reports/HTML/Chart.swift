/// An SVG drawing with a frame, two axes and lines in it. Colors come from the page's style sheet, by class.
struct Chart {
    static let width = 860.0
    static let height = 300.0
    static let left = 76.0
    static let right = width - 18
    static let top = 34.0
    static let bottom = height - 46
    private static let lineHeight = 15.0
    /// What a note of two lines takes above its dot.
    static let noteHeight = 8 + 2 * lineHeight

    private let title: String
    private var marks = ""

    /// - Parameter title: What a reader hears who cannot see the drawing.
    init(_ title: String) {
        self.title = title
    }

    // MARK: Axes

    /// Values from left to right.
    mutating func addHorizontalAxis(_ ticks: [(position: Double, label: String)], caption: String) {
        for tick in ticks {
            line(from: (tick.position, Chart.top), to: (tick.position, Chart.bottom), as: "grid")
            text(tick.label, at: (tick.position, Chart.bottom + 17), as: "tick", anchor: "middle")
        }
        text(caption, at: ((Chart.left + Chart.right) / 2, Chart.height - 6), as: "caption", anchor: "middle")
    }

    /// Values from bottom to top.
    mutating func addVerticalAxis(_ scale: Scale, caption: String, label: (Double) -> String) {
        for tick in scale.ticks {
            let y = scale.position(tick.value)
            line(from: (Chart.left, y), to: (Chart.right, y), as: tick.isMajor ? "grid" : "grid minor")
            if tick.isMajor { text(label(tick.value), at: (Chart.left - 8, y + 4), as: "tick", anchor: "end") }
        }
        text(caption, at: (8, 16), as: "caption", anchor: "start")
    }

    // MARK: Data

    /// A line through points; where one is missing it breaks off.
    mutating func addLine(_ points: [(x: Double, y: Double)?], as name: String) {
        for run in points.split(whereSeparator: { $0 == nil }) {
            let places = run.compactMap(\.self).map { "\(Chart.number($0.x)),\(Chart.number($0.y))" }
            // A line of one point shows nothing.
            if places.count == 1, let point = run.first ?? nil {
                addDot(at: point, as: name)
            } else {
                marks += "<polyline class=\"line \(name)\" points=\"\(places.joined(separator: " "))\"/>\n"
            }
        }
    }

    /// The space between a line and the bottom.
    mutating func addArea(_ points: [(x: Double, y: Double)], as name: String) {
        guard let first = points.first, let last = points.last else { return }
        let corners = [(first.x, Chart.bottom)] + points.map { ($0.x, $0.y) } + [(last.x, Chart.bottom)]
        let places = corners.map { "\(Chart.number($0.0)),\(Chart.number($0.1))" }.joined(separator: " ")
        marks += "<polygon class=\"area \(name)\" points=\"\(places)\"/>\n"
    }

    mutating func addDot(at point: (x: Double, y: Double), as name: String) {
        let place = "cx=\"\(Chart.number(point.x))\" cy=\"\(Chart.number(point.y))\""
        marks += "<circle class=\"dot \(name)\" \(place) r=\"3.5\"/>\n"
    }

    /// Words above and left of a dot: of a curve that climbs, nothing else is there.
    mutating func addNote(_ lines: [String], at point: (x: Double, y: Double)) {
        let first = point.y - 8 - Chart.lineHeight * Double(lines.count - 1)
        for (index, line) in lines.enumerated() {
            let place = (point.x - 4, first + Chart.lineHeight * Double(index))
            text(line, at: place, as: index == 0 ? "note strong" : "note", anchor: "end")
        }
    }

    /// Names of the lines, at the top right.
    mutating func addLegend(_ entries: [(name: String, label: String)]) {
        var x = Chart.right
        for entry in entries.reversed() {
            text(entry.label, at: (x, 16), as: "legend", anchor: "end")
            // Nobody measures text here: about what a letter takes.
            x -= 6.6 * Double(entry.label.count) + 22
            let place = "x=\"\(Chart.number(x))\" y=\"9\" width=\"14\" height=\"4\""
            marks += "<rect class=\"swatch \(entry.name)\" \(place)/>\n"
            x -= 20
        }
    }

    var svg: String {
        """
        <svg viewBox="0 0 \(Int(Chart.width)) \(Int(Chart.height))" role="img" aria-label="\(title.escapedForHTML)">
        \(marks)<rect class="frame" x="\(Chart.number(Chart.left))" y="\(Chart.number(Chart.top))" \
        width="\(Chart.number(Chart.right - Chart.left))" height="\(Chart.number(Chart.bottom - Chart.top))"/>
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

    private static func number(_ value: Double) -> String { Figure.decimal(value, digits: 1) }
}

extension String {
    var escapedForHTML: String {
        var text = ""
        for character in self {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.append(character)
            }
        }
        return text
    }
}
