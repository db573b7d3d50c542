/// Later drawing covers earlier drawing, and removes a picture whose cells it touches.
extension Screen {
    package enum Alignment: Sendable {
        case left
        case center
        case right
    }

    /// Returns the width in columns, including clipped parts. The position of the first grapheme may be out of bounds.
    ///
    /// Control characters are replaced (see `printable`). Combining marks without a base are dropped.
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
            draw(grapheme, width, &column, position.row, style, clip)
        }
        return column - position.column
    }

    package mutating func fill(_ rectangle: Rectangle, style: Style = .plain) {
        let area = rectangle.intersection(bounds)
        for row in area.rows {
            for column in area.columns { set(.blank(style), column, row) }
        }
        cover(area)
    }

    /// A wide grapheme changes if its first half is in the rectangle.
    package mutating func paint(_ rectangle: Rectangle, _ background: Color) {
        let area = rectangle.intersection(bounds)
        for row in area.rows {
            for column in area.columns { setBackground(background, column, row) }
        }
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
