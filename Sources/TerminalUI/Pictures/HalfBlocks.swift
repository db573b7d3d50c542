/// A picture made of letters: two pixels to a cell, one above the other.
struct HalfBlocks: Sendable {
    private let image: PixelImage

    /// - Parameters:
    ///   - image: Of any size.
    ///   - columns: Of cells, at least 1.
    ///   - rows: Of cells, at least 1.
    ///   - fit: What is done about another shape.
    init?(_ image: PixelImage, columns: Int, rows: Int, _ fit: PicturePlacement.Fit) {
        // Cells are about twice as high as wide.
        guard let image = image.fitted(to: PixelSize(width: columns, height: 2 * rows), fit) else { return nil }
        self.image = image
    }

    /// One of the cells asked for; the background is seen where the picture is transparent.
    func cell(column: Int, row: Int, on background: Color) -> Cell {
        switch (color(column, 2 * row), color(column, 2 * row + 1)) {
        case (let upper?, let lower?): Cell("▀", width: 1, style: Style(upper, on: lower))
        case (let upper?, nil): Cell("▀", width: 1, style: Style(upper, on: background))
        case (nil, let lower?): Cell("▄", width: 1, style: Style(lower, on: background))
        case (nil, nil): .blank(Style(on: background))
        }
    }

    /// Nil where one sees more of what is behind than of the picture.
    private func color(_ column: Int, _ row: Int) -> Color? {
        let index = 4 * (row * image.width + column)
        guard image.pixels[index + 3] >= 128 else { return nil }
        return .rgb(RGB(image.pixels[index], image.pixels[index + 1], image.pixels[index + 2]))
    }
}

extension Screen {
    /// Makes a picture of the screen part of its cells.
    mutating func draw(_ blocks: HalfBlocks, for placement: PicturePlacement) {
        pictures.removeAll { $0 == placement }
        let area = placement.rectangle
        for row in area.rows {
            for column in area.columns {
                let background = self[Position(column: column, row: row)].style.background
                set(blocks.cell(column: column - area.column, row: row - area.row, on: background), column, row)
            }
        }
    }
}
