internal import TerminalUI

extension BrowseView {
    /// Draws the suggested names below the field, over the cards. Edges separate them from the covered cards.
    mutating func drawSuggestions() {
        let (area, frame) = (layout.suggestions, layout.suggestionsFrame)
        for row in layout.suggestionsTitle.rows {
            drawSuggestion("Did you mean:", Style(.muted, on: .muted), leftEdge: "│", row: row)
        }
        for (row, name) in zip(area.rows, model.search.suggestions.names) {
            let isChosen = row - area.row == model.search.suggestions.chosen
            let style = isChosen ? Style(on: .selection, .bold) : Style(on: .muted)
            drawSuggestion(name.printable, style, leftEdge: isChosen ? Symbol.selection : "│", row: row)
        }
        guard frame.rows.upperBound > area.rows.upperBound else { return }
        let edge = "╰" + String(repeating: "─", count: area.width) + "╯"
        screen.put(edge, Style(.muted, on: .muted), in: frame.line(area.rows.upperBound))
    }

    private mutating func drawSuggestion(_ text: String, _ style: Style, leftEdge: String, row: Int) {
        let line = layout.suggestionsFrame.line(row)
        screen.fill(line, style: style)
        screen.put(leftEdge, style.colored(.accent), in: line)
        screen.put("│", style.colored(.muted), in: line, alignment: .right)
        screen.put(text, style, in: layout.suggestions.line(row))
    }
}

extension Style {
    func colored(_ color: Color) -> Style { Style(color, on: background, attributes) }
}
