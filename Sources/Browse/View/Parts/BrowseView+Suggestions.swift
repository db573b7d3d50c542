internal import TerminalUI

extension BrowseView {
    /// Draws the suggested names below the field, over the cards. Edges separate them from the covered cards.
    mutating func drawSuggestions() {
        let (area, frame) = (layout.suggestions, layout.suggestionsFrame)
        for (row, name) in zip(area.rows, model.search.suggestions.names) {
            let isChosen = row - area.row == model.search.suggestions.chosen
            let style = isChosen ? Style(on: .selection, .bold) : Style(on: .muted)
            let line = frame.line(row)
            screen.fill(line, style: style)
            screen.put(isChosen ? Sign.selection : "│", style.colored(.accent), in: line)
            screen.put("│", style.colored(.muted), in: line, alignment: .right)
            screen.put(name.printable, style, in: area.line(row))
        }
        guard frame.height > area.height else { return }
        let edge = "╰" + String(repeating: "─", count: area.width) + "╯"
        screen.put(edge, Style(.muted, on: .muted), in: frame.line(area.rows.upperBound))
    }
}

extension Style {
    func colored(_ color: Color) -> Style { Style(color, on: background, attributes) }
}
