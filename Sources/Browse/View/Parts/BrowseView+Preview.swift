internal import MarvelDomain
internal import TerminalUI

extension BrowseView {
    /// Draws the selected character beside the cards, where there is room.
    mutating func drawPreview() {
        guard let parts = layout.preview else { return }
        for row in parts.edge.rows { screen.put("│", Style(.muted), in: parts.edge.line(row)) }
        guard let character = model.selectedCharacter else { return }
        if let area = parts.picture {
            drawPicture(of: character, model.picture(of: character, .detail), .detail, in: area)
        }
        let sign = model.isFavorite(character.id) ? "\(Sign.favorite) " : ""
        let title = StyledText(sign + character.shownName, .bold).lines(width: max(parts.text.width, 1), count: 2)
        let lines = title + [StyledText()] + DetailText(model, character, width: parts.text.width).lines
        for (row, line) in zip(parts.text.rows, lines) { screen.put(line, in: parts.text.line(row)) }
    }
}
