/// What is known of a terminal from its answers.
package struct TerminalCapabilities: Sendable, Hashable {
    /// Nil if it did not say.
    package private(set) var background: Theme.Background?
    /// Its name, in its own words; nil if it did not say.
    package private(set) var version: String?
    /// Whether it has said all that it will.
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

    /// The best way to show pictures. Sixels need to know the size of a cell, Kitty only their shape.
    package var pictures: PictureProtocol {
        if hasKitty { return .kitty(cell: cell ?? PixelSize(width: 10, height: 20)) }
        if hasSixel, let cell { return .sixel(cell: cell) }
        return .halfBlocks
    }
}
