/// A picture that is placed over some cells of a screen.
package struct PicturePlacement: Sendable, Equatable {
    /// A way to fit a picture into cells of another aspect ratio.
    package enum Fit: Sendable, Hashable {
        /// The whole picture is shown, with margins at two sides.
        case contain
        /// The picture covers all of the cells and is cropped at two sides.
        case cover
    }

    /// The identity of the image: images with the same id are equal.
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
    ///   - image: The image. The `FrameWriter` decides how the terminal shows it.
    ///   - id: The identity of the image: the same id always stands for the same image.
    ///   - rectangle: The cells to cover. No picture is placed if they are not all within the bounds.
    ///   - fit: The way to fit an image of another aspect ratio.
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

    /// Removes the pictures that a drawing in the rectangle covers.
    mutating func cover(_ rectangle: Rectangle) {
        pictures.removeAll { $0.rectangle.overlaps(rectangle) }
    }
}
