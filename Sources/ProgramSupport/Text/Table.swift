internal import TerminalUI

/// Rows may come page by page. Columns become wider and never narrower.
package struct Table {
    package enum Alignment: Sendable {
        case left
        case right
    }

    package struct Column: Sendable {
        var title: String
        var alignment: Alignment
        var width: Int

        package init(_ title: String, _ alignment: Alignment = .left, width: Int = 0) {
            self.title = title
            self.alignment = alignment
            self.width = width
        }
    }

    package struct Cell: Sendable {
        var text: String
        var role: ANSIStyle.Role

        package init(_ text: String, _ role: ANSIStyle.Role = .plain) {
            self.text = text
            self.role = role
        }
    }

    /// The last column gets the rest of the line, and its texts are truncated to it.
    private var columns: [Column]
    private var hasHeading = false

    private static let gap = "  "

    package init(_ columns: [Column]) {
        self.columns = columns
    }

    /// The titles come before the first row. A row has one cell for each column. Without a `lineWidth` no text is
    /// truncated.
    package mutating func lines(for rows: [[Cell]], lineWidth: Int? = nil, style: ANSIStyle = .plain) -> [String] {
        var rows = rows
        if !hasHeading {
            hasHeading = true
            rows.insert(columns.map { Cell($0.title, .faint) }, at: 0)
        }
        for index in columns.indices {
            columns[index].width = rows.reduce(columns[index].width) { max($0, $1[index].text.displayWidth) }
        }
        return rows.map { line(for: $0, lineWidth: lineWidth, style: style) }
    }

    /// Rows for scripts: the texts with tabs between, and those of columns without a title at the end.
    package func rows(_ rows: [[Cell]], style: ANSIStyle) -> [String] {
        rows.map { cells in
            let titled = zip(columns, cells).filter { !$0.0.title.isEmpty }
            let marks = zip(columns, cells).filter(\.0.title.isEmpty)
            return (titled + marks).map { style.apply($0.1.role, to: $0.1.text) }.joined(separator: "\t")
        }
    }

    private func line(for cells: [Cell], lineWidth: Int?, style: ANSIStyle) -> String {
        var line = ""
        var used = 0
        // Spaces are added only before more text, so that no line ends with white space.
        var pending = ""
        for (column, cell) in zip(columns, cells) {
            let isLast = used + column.width == totalWidth
            let text = if isLast, let lineWidth { cell.text.truncated(toWidth: lineWidth - used) } else { cell.text }
            let padding = String(repeating: " ", count: max(0, column.width - text.displayWidth))
            if column.alignment == .right { pending += padding }
            if !text.isEmpty {
                line += pending + style.apply(cell.role, to: text)
                pending = ""
            }
            if column.alignment == .left { pending += padding }
            pending += Table.gap
            used += column.width + Table.gap.count
        }
        return line
    }

    private var totalWidth: Int {
        columns.reduce(0) { $0 + $1.width } + Table.gap.count * (columns.count - 1)
    }
}

package struct Facts {
    private let facts: [(name: String, value: String)]
    private let style: ANSIStyle

    package init(_ facts: [(name: String, value: String)], style: ANSIStyle = .plain) {
        self.facts = facts
        self.style = style
    }

    package var lines: [String] { lines(lineWidth: nil) }

    package func lines(lineWidth: Int?) -> [String] {
        let nameWidth = facts.reduce(0) { max($0, $1.name.displayWidth) }
        return facts.flatMap { fact in
            let width = lineWidth.map { max($0 - nameWidth - 2, 10) }
            return fact.value.wrapped(toWidth: width).enumerated().map { number, text in
                let name = number == 0 ? fact.name : ""
                let gap = String(repeating: " ", count: nameWidth + 2 - name.displayWidth)
                return style.apply(.faint, to: name) + gap + text
            }
        }
    }

    package var rows: [String] { facts.map { "\($0.name)\t\($0.value)" } }
}

package struct ANSIStyle: Equatable, Sendable {
    package enum Role: Sendable {
        case plain
        case heading
        case favorite
        case faint
        case success
        case failure
    }

    package let isColored: Bool

    package init(isColored: Bool) { self.isColored = isColored }

    package static let plain = ANSIStyle(isColored: false)

    package func apply(_ role: Role, to text: String) -> String {
        guard isColored, let code = code(for: role), !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    private func code(for role: Role) -> String? {
        switch role {
        case .plain: nil
        case .heading: "1"
        case .favorite: "1;33"
        case .faint: "2"
        case .success: "1;32"
        case .failure: "1;31"
        }
    }
}
