package import TerminalUI

package enum CardStyle: Sendable, Hashable {
    case list
    case grid
}

package struct CardGrid: Sendable, Hashable {
    package let area: Rectangle
    package let columns: Int
    /// The number of complete rows on the screen; at least 1.
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

    /// `top` is the first card on the screen.
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
    /// Whether the width of a card is fixed, even with more room.
    var isFixed = false
    var picture: Rectangle?

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

    private init(pitchWidth: Int, pitchHeight: Int, gapWidth: Int = 0, gapHeight: Int = 0, isFixed: Bool = false) {
        self.pitchWidth = pitchWidth
        self.pitchHeight = pitchHeight
        self.gapWidth = gapWidth
        self.gapHeight = gapHeight
        self.isFixed = isFixed
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
