internal import TerminalUI

extension BrowseView {
    /// Names below the field, over the cards; an edge at their left parts them from what they cover.
    mutating func drawSuggestions() {
        let area = layout.suggestions
        for (row, name) in zip(area.rows, model.search.suggestions.names) {
            let isChosen = row - area.row == model.search.suggestions.chosen
            let style = isChosen ? Style(on: .selection, .bold) : Style(on: .muted)
            let line = Rectangle(column: area.column - 1, row: row, width: area.width + 2, height: 1)
            screen.fill(line, style: style)
            screen.put(isChosen ? Sign.selection : "│", style.colored(.accent), in: line)
            screen.put("│", style.colored(.muted), in: line, alignment: .right)
            screen.put(name.printable, style, in: area.line(row))
        }
        guard !area.isEmpty, area.rows.upperBound < layout.body.rows.upperBound else { return }
        let edge = "╰" + String(repeating: "─", count: area.width) + "╯"
        let bottom = Rectangle(column: area.column - 1, row: area.rows.upperBound, width: area.width + 2, height: 1)
        screen.put(edge, Style(.muted, on: .muted), in: bottom)
    }
}

extension Style {
    func colored(_ color: Color) -> Style { Style(color, on: background, attributes) }
}
