internal import MarvelDomain
internal import TerminalUI

extension BrowseView {
    mutating func drawBody() {
        if !layout.title.isEmpty, model.count > 0 {
            screen.put("Recent searches", Style(.accent, .bold), in: layout.title.inset(columns: 1))
        }
        drawNotice()
        for place in layout.cards {
            switch layout.list {
            case .recentSearches: drawRecentSearch(place)
            case .results, .favorites: drawCard(place)
            }
        }
        drawEnd()
        drawPreview()
    }

    /// Draws the notice that is shown in place of cards, in the middle of the area that suggestions do not cover.
    private mutating func drawNotice() {
        let lines = model.notice
        let hasFailed = layout.list == .results && model.search.failure != nil
        let area = layout.freeBody.inset(columns: 2)
        var drawn: [StyledText] = []
        for (index, line) in lines.enumerated() {
            let first = hasFailed ? Style(.failure, .bold) : .bold
            let style = index == 0 ? first : Style(.muted)
            let text = index == 0 && hasFailed ? "\(Symbol.failure) \(line)" : line
            drawn += StyledText(text.printable, style).lines(width: area.width, count: area.height - drawn.count)
        }
        drawCentered(drawn, in: area)
    }

    private mutating func drawRecentSearch(_ place: BrowseLayout.PlacedCard) {
        let isSelected = isSelected(place.place)
        let frame = place.frame
        let name = model.search.recent.queries[place.place].printable
        screen.put(name, isSelected ? .bold : .plain, in: frame.dropFirst(2).dropLast(4))
        screen.put(Symbol.remove, Style(.muted), in: frame.last(BrowseLayout.removeWidth), alignment: .center)
        if isSelected { drawSelection(bar: frame, frame) }
    }

    /// Draws the end mark after the last result, if there is room.
    private mutating func drawEnd() {
        guard isEndInBody, let last = layout.cards.last else { return }
        let line = layout.grid.area.line(last.frame.rows.upperBound)
        screen.put("── the end of the results ──", Style(.muted), in: line, alignment: .center)
    }

    /// Whether the last result is on the screen.
    var showsEnd: Bool {
        layout.list == .results && layout.cards.last.map { $0.place + 1 == model.count } ?? false
    }

    /// Whether the last result is on the screen and the end mark fits below it.
    var isEndInBody: Bool {
        showsEnd && layout.cards.last.map { $0.frame.rows.upperBound < layout.body.rows.upperBound } ?? false
    }

    func isSelected(_ place: Int) -> Bool { model.cardsHaveFocus && place == model.cursor.selected }

    /// Draws a bar along the first column of an area, and the selection background behind a part of the area.
    mutating func drawSelection(bar: Rectangle, _ part: Rectangle) {
        for row in bar.rows { screen.put(Symbol.selection, Style(.accent, .bold), in: bar.line(row).first(1)) }
        screen.paint(part, .selection)
    }
}

extension BrowseView {
    /// Draws the selected character beside the cards, where there is room.
    mutating func drawPreview() {
        guard let parts = layout.preview else { return }
        for row in parts.edge.rows { screen.put("│", Style(.muted), in: parts.edge.line(row)) }
        guard let character = model.selectedCharacter else { return }
        if let area = parts.picture {
            drawPicture(of: character, model.picture(of: character, .detail), .detail, in: area)
        }
        let sign = model.isFavorite(character.id) ? "\(Symbol.favorite) " : ""
        let title = StyledText(sign + character.shownName, .bold).lines(width: max(parts.text.width, 1), count: 2)
        let lines = title + [StyledText()] + DetailText(model, character, width: parts.text.width).lines
        for (row, line) in zip(parts.text.rows, lines) { screen.put(line, in: parts.text.line(row)) }
    }
}
