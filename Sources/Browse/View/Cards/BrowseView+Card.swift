internal import MarvelDomain
internal import TerminalUI

extension BrowseView {
    mutating func drawCard(_ place: BrowseLayout.PlacedCard) {
        guard let card = model.card(at: place.place) else { return drawMissing(place) }
        if let area = place.picture { drawPicture(of: card.character, card.picture, .card, in: area) }
        let isFavorites = layout.list == .favorites
        let digits = String(model.count).count
        let text = CardText(
            card: card,
            number: isFavorites ? String(place.place + 1).padded(toWidth: digits) : nil,
            savedAt: model.savedAt(card.character.id),
            timeZone: model.timeZone
        )
        let area = textArea(of: place)
        switch model.style {
        // The width is limited, so that related texts stay close together in a wide window.
        case .list: drawRow(text, in: area.first(120))
        case .grid: drawTile(text, in: area)
        }
        if card.isFavorite { screen.paint(place.frame, .favorite) }
        if card.isSelected { drawSelection(of: place, signs: card.isFavorite ? text.signs.width : nil) }
    }

    /// Draws a placeholder for a row that is not loaded.
    private mutating func drawMissing(_ place: BrowseLayout.PlacedCard) {
        let style = Style(.muted)
        if let area = place.picture { screen.fill(area, style: Style(on: .muted)) }
        let text = model.search.failure == nil ? "Loading…" : "Not loaded."
        let indent = model.style == .list ? 3 : 0
        screen.put(text, style, in: textArea(of: place).dropFirst(indent))
        if isSelected(place.place) { drawSelection(of: place, signs: nil) }
    }

    /// Returns the area of the text, beside the selection bar.
    private func textArea(of place: BrowseLayout.PlacedCard) -> Rectangle {
        switch model.style {
        case .list: place.picture == nil ? place.text.dropFirst(2) : place.text
        case .grid: place.text.dropFirst(1)
        }
    }

    /// Draws the selection: a bar along the text, and a background behind it. A part of a favorite keeps the favorite's
    /// background: the lines below the name, or, in a card of one line, the signs.
    ///
    /// - Parameters:
    ///   - place: The position of the card.
    ///   - signs: The number of columns of a favorite's signs; nil if the card is not a favorite.
    private mutating func drawSelection(of place: BrowseLayout.PlacedCard, signs: Int?) {
        var text = place.text
        if let signs {
            text = text.height > 1 ? text.line(text.row) : textArea(of: place).dropFirst(signs)
        }
        drawSelection(bar: model.style == .list ? place.frame : place.text, text)
    }

    // MARK: In a list

    private mutating func drawRow(_ text: CardText, in area: Rectangle) {
        var line = text.signs
        let indent = line.width
        line.append(text.name)
        let first = area.line(area.row)
        let room = area.width - line.width - 4
        let remark = text.remarks(withCounts: area.height == 1).first { $0.displayWidth <= room }
        screen.put(line, in: first.dropLast(remark == nil ? 0 : 1))
        if let remark { screen.put(remark, Style(.muted), in: first.dropLast(1), alignment: .right) }
        let below = area.dropFirst(indent).dropLast(1)
        for (row, detail) in zip(below.rows.dropFirst(), text.details(width: below.width)) {
            screen.put(detail, in: below.line(row))
        }
    }

    // MARK: In a grid

    /// Draws a card of the grid. If the name leaves a line free, the line shows a remark that fits.
    private mutating func drawTile(_ text: CardText, in area: Rectangle) {
        let signs = text.shortSigns
        var name = signs
        name.append(text.name)
        var lines = name.lines(width: area.width, count: area.height, unbroken: signs.letters.count)
        let remark = text.remarks(withCounts: true).first { $0.displayWidth <= area.width }
        if lines.count < area.height, let remark { lines.append(StyledText(remark, Style(.muted))) }
        for (row, line) in zip(area.rows, lines) { screen.put(line, in: area.line(row)) }
    }
}

extension String {
    /// Returns the text with spaces before it.
    fileprivate func padded(toWidth width: Int) -> String {
        String(repeating: " ", count: max(width - displayWidth, 0)) + self
    }
}
