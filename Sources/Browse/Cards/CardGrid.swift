package import TerminalUI

/// How cards are laid out: the person's choice.
package enum CardStyle: Sendable, Hashable {
    case list
    case grid
}

/// Cards side by side and one below the other, as many as there is room for.
package struct CardGrid: Sendable, Hashable {
    package let area: Rectangle
    package let columns: Int
    /// Rows of cards that are whole on the screen; at least 1.
    package let visibleRows: Int
    /// Of a card without the gap to the next.
    package let cardWidth: Int
    package let cardHeight: Int
    /// Inside of a card; nil without pictures.
    package let picture: Rectangle?
    /// Inside of a card.
    package let text: Rectangle
    /// From one card to the next.
    private let pitchWidth: Int
    private let pitchHeight: Int

    package var visibleCount: Int { columns * visibleRows }

    package init(area: Rectangle, style: CardStyle, showsPictures: Bool) {
        let shape = CardShape(area: area, style: style, showsPictures: showsPictures)
        self.area = area
        columns = max(area.width / shape.pitchWidth, 1)
        visibleRows = max((area.height + shape.gapHeight) / shape.pitchHeight, 1)
        // Cards with a picture have its width; others share what there is.
        pitchWidth = shape.isFixed ? shape.pitchWidth : area.width / columns
        pitchHeight = shape.pitchHeight
        cardWidth = max(pitchWidth - shape.gapWidth, 1)
        cardHeight = pitchHeight - shape.gapHeight
        picture = shape.picture
        text = shape.text(cardWidth: cardWidth, cardHeight: cardHeight)
    }

    /// Where the card at a place is, if it is on the screen, and the first one there is the card at `top`.
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

/// The measures of one card, in cells. Cells are twice as high as wide, so a square picture has twice as many columns.
private struct CardShape {
    var pitchWidth: Int
    var pitchHeight: Int
    var gapWidth = 0
    var gapHeight = 0
    /// Whether a card is as wide as that, however much room there is.
    var isFixed = false
    var picture: Rectangle?

    init(area: Rectangle, style: CardStyle, showsPictures: Bool) {
        switch style {
        case .list where showsPictures && area.height >= 6:
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

    private init(pitchWidth: Int, pitchHeight: Int, gapWidth: Int = 0, gapHeight: Int = 0, isFixed: Bool = false) {
        self.pitchWidth = pitchWidth
        self.pitchHeight = pitchHeight
        self.gapWidth = gapWidth
        self.gapHeight = gapHeight
        self.isFixed = isFixed
    }

    /// Below the picture of a card that is as wide as it; else beside it.
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
