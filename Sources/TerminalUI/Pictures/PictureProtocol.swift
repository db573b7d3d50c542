/// How pictures get on the window.
package enum PictureProtocol: Sendable, Hashable {
    /// Not at all: their cells are blank.
    case none
    /// As colored letters, two pixels to a cell.
    case halfBlocks
    /// With the size of a cell in pixels.
    case sixel(cell: PixelSize)
    case kitty(cell: PixelSize)

    /// Of a cell, if there are true pictures.
    var cell: PixelSize? {
        switch self {
        case .none, .halfBlocks: nil
        case .sixel(let cell), .kitty(let cell): cell
        }
    }
}
