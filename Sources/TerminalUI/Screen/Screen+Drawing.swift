/// Drawing: later covers earlier, and takes away a picture whose cells it touches. Whatever is outside of the bounds
/// is left out.
extension Screen {
    package enum Alignment: Sendable {
        case left
        case center
        case right
    }

    /// Writes one line of text.
    ///
    /// Control characters become harmless (see `printable`), marks without a letter are left out. A wide grapheme that
    /// does not fit whole leaves a blank.
    ///
    /// - Parameters:
    ///   - text: In the order of writing, left to right.
    ///   - position: Of the first grapheme; may be outside of the bounds.
    ///   - style: How it looks.
    ///   - clip: What is outside of it is left out; nil for the whole screen.
    /// - Returns: Columns of the text, with what was left out.
    @discardableResult
    package mutating func put(
        _ text: String,
        at position: Position,
        style: Style = .plain,
        within clip: Rectangle? = nil
    ) -> Int {
        let clip = (clip ?? bounds).intersection(bounds)
        var column = position.column
        defer {
            cover(Rectangle(column: position.column, row: position.row, width: column - position.column, height: 1))
        }
        for grapheme in text.withoutControls {
            let width = grapheme.displayWidth
            guard width > 0 else { continue }
            // The half-width letters whose marks take columns are drawn apart.
            if width > 2 || (width == 2 && grapheme.hasVoicedMark) {
                for scalar in grapheme.unicodeScalars { draw(Character(scalar), 1, &column, position.row, style, clip) }
            } else {
                draw(grapheme, width, &column, position.row, style, clip)
            }
        }
        return column - position.column
    }

    /// Writes a text that takes exactly `width` columns: cut with `…`, or filled up with spaces.
    package mutating func put(
        _ text: String,
        at position: Position,
        width: Int,
        alignment: Alignment = .left,
        style: Style = .plain
    ) {
        let field = Rectangle(column: position.column, row: position.row, width: width, height: 1)
        fill(field, style: style)
        let text = text.withoutControls.truncated(toWidth: width)
        let room = max(width - text.displayWidth, 0)
        let indent =
            switch alignment {
            case .left: 0
            case .center: room / 2
            case .right: room
            }
        put(text, at: Position(column: position.column + indent, row: position.row), style: style, within: field)
    }

    /// Fills with one grapheme, which takes one column.
    package mutating func fill(_ rectangle: Rectangle, with grapheme: Character = " ", style: Style = .plain) {
        let area = rectangle.intersection(bounds)
        let harmless = String(grapheme).withoutControls.first ?? " "
        let cell = Cell(harmless.displayWidth == 1 ? harmless : " ", width: 1, style: style)
        for row in area.rows {
            for column in area.columns { set(cell, column, row) }
        }
        cover(area)
    }

    /// Changes what is behind the text, and leaves text and pictures. A wide grapheme goes with its first half.
    package mutating func paint(_ rectangle: Rectangle, _ background: Color) {
        let area = rectangle.intersection(bounds)
        for row in area.rows {
            for column in area.columns { setBackground(background, column, row) }
        }
    }

    /// Draws lines along the inner edge of a rectangle of at least 2 x 2.
    package mutating func border(_ rectangle: Rectangle, style: Style = .plain) {
        guard rectangle.width >= 2, rectangle.height >= 2 else { return }
        let line = String(repeating: "─", count: rectangle.width - 2)
        let left = rectangle.column
        put("╭\(line)╮", at: Position(column: left, row: rectangle.row), style: style)
        for row in rectangle.rows.dropFirst().dropLast() {
            put("│", at: Position(column: left, row: row), style: style)
            put("│", at: Position(column: left + rectangle.width - 1, row: row), style: style)
        }
        put("╰\(line)╯", at: Position(column: left, row: rectangle.row + rectangle.height - 1), style: style)
    }

    private mutating func draw(
        _ grapheme: Character,
        _ width: Int,
        _ column: inout Int,
        _ row: Int,
        _ style: Style,
        _ clip: Rectangle
    ) {
        let place = column..<column + width
        column += width
        guard clip.rows.contains(row), place.overlaps(clip.columns) else { return }
        if place.clamped(to: clip.columns) == place {
            set(Cell(grapheme, width: Int8(width), style: style), place.lowerBound, row)
        } else {
            for column in place.clamped(to: clip.columns) { set(.blank(style), column, row) }
        }
    }
}

extension Character {
    fileprivate var hasVoicedMark: Bool { unicodeScalars.contains { $0 == "\u{FF9E}" || $0 == "\u{FF9F}" } }
}
