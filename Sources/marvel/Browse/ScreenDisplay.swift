internal import Browse
internal import TerminalUI

/// Keeps the terminal as the app is.
actor ScreenDisplay {
    /// How things look, before the terminal has said anything.
    struct Look: Sendable {
        var depth: ColorDepth
        /// Nil asks the terminal.
        var background: Theme.Background?
        var showsPictures: Bool
    }

    private let terminal: Terminal
    private let look: Look
    private var capabilities = TerminalCapabilities()
    private var writer: FrameWriter
    private var shown: BrowseModel?

    init(_ terminal: Terminal, look: Look) {
        self.terminal = terminal
        self.look = look
        writer = ScreenDisplay.writer(look, TerminalCapabilities())
    }

    /// - Throws: `OutputError`.
    func show(_ model: BrowseModel) async throws {
        shown = model
        try await terminal.write(writer.frame(BrowseView(model).screen))
    }

    /// Draws everything anew: another program has used the terminal.
    ///
    /// - Throws: `OutputError`.
    func redraw() async throws {
        writer.redraw()
        if let shown { try await show(shown) }
    }

    /// Takes in what the terminal can do.
    ///
    /// - Throws: `OutputError`.
    func note(_ reply: TerminalReply) async throws {
        let before = (capabilities.background, capabilities.pictures)
        capabilities.note(reply)
        guard before != (capabilities.background, capabilities.pictures) else { return }
        writer = ScreenDisplay.writer(look, capabilities)
        if let shown { try await show(shown) }
    }

    private static func writer(_ look: Look, _ capabilities: TerminalCapabilities) -> FrameWriter {
        let background = look.background ?? capabilities.background ?? .dark
        return FrameWriter(
            theme: Theme(depth: look.depth, background: background),
            pictures: look.showsPictures ? capabilities.pictures : .none
        )
    }
}
