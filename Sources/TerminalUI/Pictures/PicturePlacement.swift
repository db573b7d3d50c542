/// A picture over some cells of a screen.
package struct PicturePlacement: Sendable, Equatable {
    /// How a picture of another shape than its cells is fitted in.
    package enum Fit: Sendable, Hashable {
        /// All of it is seen, with a margin at two sides.
        case contain
        /// All of the cells are covered, and its middle is seen.
        case cover
    }

    /// Names the image: two images with the same name are the same.
    package let id: Int
    package let image: PixelImage
    package let rectangle: Rectangle
    package let fit: Fit

    package static func == (one: PicturePlacement, other: PicturePlacement) -> Bool {
        one.id == other.id && one.rectangle == other.rectangle && one.fit == other.fit
    }
}

extension Screen {
    /// Puts a picture over some cells, which become blank and keep their background.
    ///
    /// - Parameters:
    ///   - image: How the terminal shows it, is for the `FrameWriter`.
    ///   - id: Names the image: the same id always comes with the same image.
    ///   - rectangle: If not all of it is within the bounds, no picture is placed.
    ///   - fit: What becomes of an image of another shape.
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

    /// Takes away the pictures that something is drawn over.
    mutating func cover(_ rectangle: Rectangle) {
        pictures.removeAll { $0.rectangle.overlaps(rectangle) }
    }
}
