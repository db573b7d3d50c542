internal import Browse
internal import TerminalUI

/// The terminal's contents, which follow the app's state.
actor ScreenDisplay {
    /// The settings of the display, before the terminal has reported its capabilities.
    struct Settings: Sendable {
        var depth: ColorDepth
        /// The background; nil to ask the terminal.
        var background: Theme.Background?
        var showsPictures: Bool
    }

    private let terminal: Terminal
    private let settings: Settings
    private var capabilities = TerminalCapabilities()
    private var writer: FrameWriter
    private var shown: BrowseModel?

    init(_ terminal: Terminal, settings: Settings) {
        self.terminal = terminal
        self.settings = settings
        writer = ScreenDisplay.writer(settings, TerminalCapabilities())
    }

    /// Shows a state.
    ///
    /// - Throws: `OutputError`.
    func show(_ model: BrowseModel) async throws {
        shown = model
        try await terminal.write(writer.frame(BrowseView(model).screen))
    }

    /// Draws everything again, because another program has used the terminal.
    ///
    /// - Throws: `OutputError`.
    func redraw() async throws {
        writer.redraw()
        if let shown { try await show(shown) }
    }

    /// Takes a capability that the terminal reports.
    ///
    /// - Throws: `OutputError`.
    func note(_ reply: TerminalReply) async throws {
        let before = (capabilities.background, capabilities.pictures)
        capabilities.note(reply)
        guard before != (capabilities.background, capabilities.pictures) else { return }
        writer = ScreenDisplay.writer(settings, capabilities)
        if let shown { try await show(shown) }
    }

    private static func writer(_ settings: Settings, _ capabilities: TerminalCapabilities) -> FrameWriter {
        let background = settings.background ?? capabilities.background ?? .dark
        return FrameWriter(
            theme: Theme(depth: settings.depth, background: background),
            pictures: settings.showsPictures ? capabilities.pictures : .none
        )
    }
}
