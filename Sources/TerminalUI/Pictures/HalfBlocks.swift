/// Each cell shows two pixels, one above the other.
struct HalfBlocks: Sendable {
    private let image: PixelImage

    init?(_ image: PixelImage, columns: Int, rows: Int, _ fit: PicturePlacement.Fit) {
        // A cell is about twice as high as wide.
        guard let image = image.fitted(to: PixelSize(width: columns, height: 2 * rows), fit) else { return nil }
        self.image = image
    }

    func cell(column: Int, row: Int, on background: Color) -> Cell {
        switch (color(column, 2 * row), color(column, 2 * row + 1)) {
        case (let upper?, let lower?): Cell("▀", width: 1, style: Style(upper, on: lower))
        case (let upper?, nil): Cell("▀", width: 1, style: Style(upper, on: background))
        case (nil, let lower?): Cell("▄", width: 1, style: Style(lower, on: background))
        case (nil, nil): .blank(Style(on: background))
        }
    }

    /// Nil if the pixel is less than half opaque.
    private func color(_ column: Int, _ row: Int) -> Color? {
        let index = 4 * (row * image.width + column)
        guard image.pixels[index + 3] >= 128 else { return nil }
        return .rgb(RGB(image.pixels[index], image.pixels[index + 1], image.pixels[index + 2]))
    }
}

extension Screen {
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
