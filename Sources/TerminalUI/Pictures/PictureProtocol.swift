/// A way to show pictures in the window.
package enum PictureProtocol: Sendable, Hashable {
    /// No pictures: their cells are blank.
    case none
    /// Colored half-block characters, two pixels to a cell.
    case halfBlocks
    /// Sixel graphics, with the size of a cell in pixels.
    case sixel(cell: PixelSize)
    /// Kitty graphics, with the size of a cell in pixels.
    case kitty(cell: PixelSize)

    /// The size of a cell, if pictures are drawn in pixels.
    var cell: PixelSize? {
        switch self {
        case .none, .halfBlocks: nil
        case .sixel(let cell), .kitty(let cell): cell
        }
    }
}
