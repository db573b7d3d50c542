package enum TerminalInput: Sendable, Hashable {
    case event(TerminalEvent)
    /// A reply to a query (see `TerminalCapabilities.queries`).
    case reply(TerminalReply)
}

package enum TerminalReply: Sendable, Hashable {
    case kittyGraphics(isSupported: Bool)
    /// The brightness of the window's default background.
    case background(Theme.Background)
    case cellSize(PixelSize)
}

package struct PixelSize: Sendable, Hashable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
