/// A decoded input of a terminal.
package enum TerminalInput: Sendable, Hashable {
    /// An event that the user caused.
    case event(TerminalEvent)
    /// A reply to a query (see `TerminalCapabilities.queries`).
    case reply(TerminalReply)
}

/// A reply of a terminal to a query.
package enum TerminalReply: Sendable, Hashable {
    /// The support of the Kitty graphics protocol.
    case kittyGraphics(isSupported: Bool)
    /// The brightness of the window's default background.
    case background(Theme.Background)
    /// The size of a cell.
    case cellSize(PixelSize)
}

/// A width and height in pixels.
package struct PixelSize: Sendable, Hashable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
