/// The capabilities of a terminal, collected from its replies.
package struct TerminalCapabilities: Sendable, Hashable {
    /// The brightness of the default background; nil if the terminal did not report it.
    package private(set) var background: Theme.Background?
    /// The name and version as the terminal reports them; nil if it did not.
    package private(set) var version: String?
    /// Whether all replies have arrived.
    package private(set) var isComplete = false
    private var cell: PixelSize?
    private var hasSixel = false
    private var hasKitty = false

    package init() {}

    package mutating func note(_ reply: TerminalReply) {
        switch reply {
        case .deviceAttributes(let hasSixel):
            self.hasSixel = hasSixel
            isComplete = true
        case .kittyGraphics(let isSupported): hasKitty = isSupported
        case .background(let background): self.background = background
        case .cellSize(let size): cell = size
        case .version(let text): version = text
        }
    }

    /// The best supported way to show pictures. Sixels need the exact size of a cell. Kitty scales images itself, so an
    /// assumed cell size is enough.
    package var pictures: PictureProtocol {
        if hasKitty { return .kitty(cell: cell ?? PixelSize(width: 10, height: 20)) }
        if hasSixel, let cell { return .sixel(cell: cell) }
        return .halfBlocks
    }
}

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
