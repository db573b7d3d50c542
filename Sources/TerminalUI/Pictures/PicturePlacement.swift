package struct PicturePlacement: Sendable, Equatable {
    package enum Fit: Sendable, Hashable {
        /// The whole picture, with margins at two sides.
        case contain
        /// The picture covers all cells and is cropped at two sides.
        case cover
    }

    /// Images with the same id are equal.
    package let id: Int
    package let image: PixelImage
    package let rectangle: Rectangle
    package let fit: Fit

    package static func == (one: PicturePlacement, other: PicturePlacement) -> Bool {
        one.id == other.id && one.rectangle == other.rectangle && one.fit == other.fit
    }
}

extension Screen {
    /// The cells become blank and keep their background. A rectangle out of bounds is ignored.
    package mutating func place(
        _ image: PixelImage,
        id: Int,
        in rectangle: Rectangle,
        fit: PicturePlacement.Fit = .contain
    ) {
        guard bounds.contains(rectangle), !rectangle.isEmpty else { return }
        cover(rectangle)
        for row in rectangle.rows {
            for column in rectangle.columns {
                set(.blank(self[Position(column: column, row: row)].style), column, row)
            }
        }
        pictures.append(PicturePlacement(id: id, image: image, rectangle: rectangle, fit: fit))
    }

    mutating func cover(_ rectangle: Rectangle) {
        pictures.removeAll { $0.rectangle.overlaps(rectangle) }
    }
}
