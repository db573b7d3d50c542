/// What a terminal sends.
package enum TerminalInput: Sendable, Hashable {
    /// A person did something.
    case event(TerminalEvent)
    /// The terminal answers a query (see `TerminalQuery`).
    case reply(TerminalReply)
}

/// What a terminal tells about itself when it is asked.
package enum TerminalReply: Sendable, Hashable {
    /// The primary device attributes. Every terminal answers, so that whatever was asked before and has not been
    /// answered by now never will be.
    case deviceAttributes(hasSixel: Bool)
    /// The graphics protocol of Kitty.
    case kittyGraphics(isSupported: Bool)
    /// Of the window.
    case background(Theme.Background)
    /// Of one cell.
    case cellSize(PixelSize)
    /// Name and version, in the terminal's own words.
    case version(String)
}

/// Width and height in pixels.
package struct PixelSize: Sendable, Hashable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
