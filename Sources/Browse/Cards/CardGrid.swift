package import TerminalUI

package enum CardStyle: Sendable, Hashable {
    case list
    case grid
}

package struct CardGrid: Sendable, Hashable {
    package let area: Rectangle
    package let columns: Int
    package let visibleRows: Int
    /// Without the gap to the next card.
    package let cardWidth: Int
    /// Without the gap to the next card.
    package let cardHeight: Int
    /// Relative to the card; nil without pictures.
    package let picture: Rectangle?
    /// Relative to the card.
    package let text: Rectangle
    /// From one card to the next, in columns.
    private let pitchWidth: Int
    /// From one card to the next, in rows.
    private let pitchHeight: Int

    package var visibleCount: Int { columns * visibleRows }

    package init(area: Rectangle, style: CardStyle, showsPictures: Bool) {
        let shape = CardShape(area: area, style: style, showsPictures: showsPictures)
        self.area = area
        columns = max(area.width / shape.pitchWidth, 1)
        visibleRows = max((area.height + shape.gapHeight) / shape.pitchHeight, 1)
        // Cards with a picture above the text have a fixed width. Other cards share the width of the area.
        pitchWidth = shape.isFixed ? shape.pitchWidth : area.width / columns
        pitchHeight = shape.pitchHeight
        cardWidth = max(pitchWidth - shape.gapWidth, 1)
        cardHeight = pitchHeight - shape.gapHeight
        picture = shape.picture
        text = shape.text(cardWidth: cardWidth, cardHeight: cardHeight)
    }

    package func frame(ofCardAt place: Int, top: Int) -> Rectangle? {
        guard place >= top, place < top + visibleCount else { return nil }
        let (row, column) = (place - top).quotientAndRemainder(dividingBy: columns)
        let margin = (area.width - columns * pitchWidth) / 2
        return Rectangle(
            column: area.column + margin + column * pitchWidth,
            row: area.row + row * pitchHeight,
            width: cardWidth,
            height: cardHeight
        )
    }
}

/// The dimensions of a card in cells. A cell is twice as high as wide, so a square picture has twice as many columns as
/// rows.
private struct CardShape {
    var pitchWidth: Int
    var pitchHeight: Int
    var gapWidth = 0
    var gapHeight = 0
    var isFixed = false
    var picture: Rectangle?
}

extension CardShape {
    init(area: Rectangle, style: CardStyle, showsPictures: Bool) {
        switch style {
        // In a window of 80 x 24 such a picture is too small, and takes two of three rows.
        case .list where showsPictures && area.width >= 90 && area.height >= 25:
            self.init(pitchWidth: max(area.width, 1), pitchHeight: 3)
            picture = Rectangle(column: 1, row: 0, width: 6, height: 3)
        case .list:
            self.init(pitchWidth: max(area.width, 1), pitchHeight: 1)
        case .grid where showsPictures && area.width >= 110 && area.height >= 25:
            self.init(pitchWidth: 22, pitchHeight: 13, gapWidth: 2, gapHeight: 1, isFixed: true)
            picture = Rectangle(column: 0, row: 0, width: 20, height: 10)
        case .grid where showsPictures && area.height >= 9:
            self.init(pitchWidth: 16, pitchHeight: 10, gapWidth: 2, gapHeight: 1, isFixed: true)
            picture = Rectangle(column: 0, row: 0, width: 14, height: 7)
        case .grid:
            self.init(pitchWidth: 26, pitchHeight: 3, gapWidth: 2, gapHeight: 1)
        }
    }

    func text(cardWidth: Int, cardHeight: Int) -> Rectangle {
        guard let picture else { return Rectangle(column: 0, row: 0, width: cardWidth, height: cardHeight) }
        if isFixed {
            let height = cardHeight - picture.height
            return Rectangle(column: 0, row: picture.height, width: cardWidth, height: height)
        }
        let start = picture.columns.upperBound + 1
        return Rectangle(column: start, row: 0, width: cardWidth - start, height: cardHeight)
    }
}

package struct CardCursor: Sendable, Hashable {
    package private(set) var selected = 0
    /// Always the first card of a row.
    package private(set) var top = 0

    package enum Move: Sendable, Hashable, CaseIterable {
        case up, down, left, right
        case halfPageUp, halfPageDown, pageUp, pageDown
        case first, last
    }

    package init(selected: Int = 0, top: Int = 0) {
        self.selected = selected
        self.top = top
    }

    package func visible(in grid: CardGrid, count: Int) -> Range<Int> {
        let start = min(top, count)
        return start..<min(start + grid.visibleCount, count)
    }

    mutating func move(_ move: Move, in grid: CardGrid, count: Int) {
        let columns = grid.columns
        switch move {
        case .up: moveRows(-1, in: grid, count: count)
        case .down: moveRows(1, in: grid, count: count)
        case .left where columns > 1: selected -= 1
        case .right where columns > 1: selected += 1
        case .left, .right: break
        case .halfPageUp: page(-max(grid.visibleRows / 2, 1), in: grid, count: count)
        case .halfPageDown: page(max(grid.visibleRows / 2, 1), in: grid, count: count)
        case .pageUp: page(-grid.visibleRows, in: grid, count: count)
        case .pageDown: page(grid.visibleRows, in: grid, count: count)
        case .first: selected = 0
        case .last: selected = count - 1
        }
        keepInView(in: grid, count: count)
    }

    /// The selection changes only if it would leave the screen.
    mutating func scroll(rows: Int, in grid: CardGrid, count: Int) {
        top = clampedTop(top + rows * grid.columns, in: grid, count: count)
        let column = selected % grid.columns
        let last = top + (grid.visibleRows - 1) * grid.columns + column
        selected = min(max(selected, top + column), last)
        keepInView(in: grid, count: count)
    }

    mutating func select(_ place: Int, in grid: CardGrid, count: Int) {
        selected = place
        keepInView(in: grid, count: count)
    }

    /// Call `keepInView` afterwards.
    mutating func follow(to place: Int) { selected = place }

    /// Call it after each change of the size or of the number of cards.
    mutating func keepInView(in grid: CardGrid, count: Int) {
        selected = min(max(selected, 0), max(count - 1, 0))
        let row = selected / grid.columns
        let topRow = min(max(top / grid.columns, row - grid.visibleRows + 1), row)
        top = clampedTop(topRow * grid.columns, in: grid, count: count)
    }

    private mutating func moveRows(_ rows: Int, in grid: CardGrid, count: Int) {
        let target = selected + rows * grid.columns
        guard target >= 0 else { return }
        let isInLastRow = selected / grid.columns >= (count - 1) / grid.columns
        if target < count { selected = target } else if !isInLastRow { selected = count - 1 }
    }

    private mutating func page(_ rows: Int, in grid: CardGrid, count: Int) {
        top = clampedTop(top + rows * grid.columns, in: grid, count: count)
        selected += rows * grid.columns
        if selected < 0 { selected = 0 }
    }

    /// Limits `top` to the start of a row, without empty rows after the last card while cards are hidden above.
    private func clampedTop(_ top: Int, in grid: CardGrid, count: Int) -> Int {
        let rows = (count + grid.columns - 1) / grid.columns
        let lastTop = max(rows - grid.visibleRows, 0) * grid.columns
        return min(max(top / grid.columns * grid.columns, 0), lastTop)
    }
}
