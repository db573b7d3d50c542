internal import MarvelDomain
internal import TerminalUI

extension BrowseView {
    mutating func drawBody() {
        drawNotice()
        for place in layout.cards { drawCard(place) }
        drawEnd()
    }

    private mutating func drawNotice() {
        let lines = model.notice
        let hasFailed = model.tab == .search && model.search.failure != nil
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

    private mutating func drawEnd() {
        guard isEndInBody, let last = layout.cards.last else { return }
        let line = layout.grid.area.line(last.frame.rows.upperBound)
        screen.put("── end of results ──", Style(.muted), in: line, alignment: .center)
    }

    var showsEnd: Bool {
        model.tab == .search && layout.cards.last.map { $0.place + 1 == model.count } ?? false
    }

    var isEndInBody: Bool {
        showsEnd && layout.cards.last.map { $0.frame.rows.upperBound < layout.body.rows.upperBound } ?? false
    }

    func isSelected(_ place: Int) -> Bool { model.cardsHaveFocus && place == model.cursor.selected }

    /// Draws a bar along the first column, and the selection background behind a part of the area.
    mutating func drawSelection(bar: Rectangle, _ part: Rectangle) {
        for row in bar.rows { screen.put(Symbol.selection, Style(.accent, .bold), in: bar.line(row).first(1)) }
        screen.paint(part, .selection)
    }

    mutating func drawCard(_ place: BrowseLayout.PlacedCard) {
        guard let card = model.card(at: place.place) else { return drawMissing(place) }
        if let area = place.picture { drawPicture(of: card.character, card.picture, .card, in: area) }
        let isFavorites = model.tab == .favorites
        let digits = String(model.count).count
        let text = CardText(
            card: card,
            number: isFavorites ? String(place.place + 1).padded(toWidth: digits) : nil,
            savedAt: model.savedAt(card.character.id)
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

    private mutating func drawMissing(_ place: BrowseLayout.PlacedCard) {
        let style = Style(.muted)
        if let area = place.picture { screen.fill(area, style: Style(on: .muted)) }
        let text = model.search.failure == nil ? "Loading…" : "Not loaded."
        let indent = model.style == .list ? 3 : 0
        screen.put(text, style, in: textArea(of: place).dropFirst(indent))
        if isSelected(place.place) { drawSelection(of: place, signs: nil) }
    }

    private func textArea(of place: BrowseLayout.PlacedCard) -> Rectangle {
        switch model.style {
        case .list: place.picture == nil ? place.text.dropFirst(2) : place.text
        case .grid: place.text.dropFirst(1)
        }
    }

    /// A favorite's lines below the name keep its background; in a card of one line, its signs do.
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

    private mutating func drawTile(_ text: CardText, in area: Rectangle) {
        let signs = text.shortSigns
        var name = signs
        name.append(text.name)
        var lines = name.lines(width: area.width, count: area.height, unbroken: signs.letters.count)
        let remark = text.remarks(withCounts: true).first { $0.displayWidth <= area.width }
        if lines.count < area.height, let remark { lines.append(StyledText(remark, Style(.muted))) }
        for (row, line) in zip(area.rows, lines) { screen.put(line, in: area.line(row)) }
    }

    mutating func drawPicture(
        of character: MarvelCharacter,
        _ state: Pictures.State,
        _ size: PictureKey.Size,
        in area: Rectangle
    ) {
        switch state {
        case .image(let image):
            let id = PictureKey(character.id, size).imageID
            screen.place(image, id: id, in: area, fit: size == .card ? .cover : .contain)
        case .loading:
            screen.fill(area, style: Style(on: .muted))
            drawCentered([StyledText(Symbol.spinner(model.spinner ?? 0), Style(.muted, on: .muted))], in: area)
        case .none, .failed:
            screen.fill(area, style: Style(on: .muted))
            let initials = StyledText(character.initials, Style(on: .muted, .bold))
            let sign = StyledText(Symbol.failure, Style(.failure, on: .muted))
            drawCentered(state == .failed ? [initials, sign] : [initials], in: area)
        }
    }
}

extension String {
    fileprivate func padded(toWidth width: Int) -> String {
        String(repeating: " ", count: max(width - displayWidth, 0)) + self
    }
}

extension PictureKey {
    fileprivate var imageID: Int { Int(truncatingIfNeeded: characterID) &* 2 &+ (size == .card ? 0 : 1) }
}

extension MarvelCharacter {
    var initials: String {
        let words = name.printable.split { !$0.isLetter && !$0.isNumber }
        let letters = words.prefix(2).compactMap(\.first)
        return letters.isEmpty ? String(name.printable.prefix(1)) : letters.map { $0.uppercased() }.joined()
    }
}

struct CardText: Sendable {
    let card: Card
    /// In the list of favorites, from 1; nil in other lists.
    var number: String?
    var savedAt: Timestamp?

    var name: StyledText { StyledText(card.character.shownName, .bold) }

    /// Their width is constant, to align names.
    var signs: StyledText {
        var text = StyledText(number.map { "\($0) " } ?? "", Style(.muted))
        text.append(card.isFavorite ? Symbol.favorite : " ", .bold)
        text.append(card.isPending ? Symbol.pending : " ", .bold)
        text.append(" ")
        return text
    }

    var shortSigns: StyledText {
        var text = StyledText(number ?? "", Style(.muted))
        if card.isFavorite { text.append(Symbol.favorite, .bold) }
        if card.isPending { text.append(Symbol.pending, .bold) }
        if !text.isEmpty { text.append(" ") }
        return text
    }

    func details(width: Int) -> [StyledText] {
        // A description may be very long: process only the part that can fit.
        let description = String(card.character.description.prefix(2 * width)).printable
        return [description, counts].filter { !$0.isEmpty }.map { StyledText($0, Style(.muted)) }
    }

    var counts: String {
        let counts = card.character.counts
        return counts.isEmpty ? "counts unknown" : counts.map(\.text).joined(separator: " · ")
    }

    func remarks(withCounts: Bool) -> [String] {
        if let savedAt {
            let date = CivilTime(seconds: savedAt.seconds).date
            return ["saved \(savedAt.minute)", "saved \(date)", date]
        }
        return withCounts ? [counts, card.character.counts.first?.text ?? "unknown"] : []
    }
}

struct CharacterCount: Sendable, Equatable {
    var number: Int
    var one: String
    var many: String

    var text: String { "\(number.grouped) \(number == 1 ? one : many)" }
}

extension MarvelCharacter {
    /// The counts that are not zero. If all are zero, the source has no counts.
    var counts: [CharacterCount] {
        [
            CharacterCount(number: Int(comicCount), one: "comic", many: "comics"),
            CharacterCount(number: Int(seriesCount), one: "series", many: "series"),
            CharacterCount(number: Int(storyCount), one: "story", many: "stories"),
            CharacterCount(number: Int(eventCount), one: "event", many: "events"),
        ].filter { $0.number != 0 }
    }
}

extension Timestamp {
    var minute: String {
        let time = CivilTime(seconds: seconds)
        return "\(time.date) \(time.timeOfDay.dropLast(3)) UTC"
    }
}
