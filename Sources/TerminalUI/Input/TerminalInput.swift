/// A decoded input of a terminal.
package enum TerminalInput: Sendable, Hashable {
    /// An event that the user caused.
    case event(TerminalEvent)
    /// A reply to a query (see `TerminalQuery`).
    case reply(TerminalReply)
}

/// A reply of a terminal to a query.
package enum TerminalReply: Sendable, Hashable {
    /// The primary device attributes. Every terminal sends this reply. Earlier queries without a reply by then will get
    /// none.
    case deviceAttributes(hasSixel: Bool)
    /// The support of the Kitty graphics protocol.
    case kittyGraphics(isSupported: Bool)
    /// The brightness of the window's default background.
    case background(Theme.Background)
    /// The size of a cell.
    case cellSize(PixelSize)
    /// The name and version as the terminal reports them.
    case version(String)
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
