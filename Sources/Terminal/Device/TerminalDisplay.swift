package import TerminalUI

package actor TerminalDisplay {
    package struct Settings: Sendable {
        let depth: ColorDepth
        /// Nil to ask the terminal.
        let background: Theme.Background?
        let showsPictures: Bool

        package init(depth: ColorDepth, background: Theme.Background?, showsPictures: Bool) {
            self.depth = depth
            self.background = background
            self.showsPictures = showsPictures
        }
    }

    private let terminal: Terminal
    private let settings: Settings
    private var capabilities = TerminalCapabilities()
    private var writer: FrameWriter
    private var shown: Screen?

    package init(_ terminal: Terminal, settings: Settings) {
        self.terminal = terminal
        self.settings = settings
        writer = TerminalDisplay.writer(settings, TerminalCapabilities())
    }

    package func show(_ screen: Screen) async throws {
        shown = screen
        try await terminal.write(writer.frame(screen))
    }

    /// Redraws a window that another program has changed. After a change of the size, the next `show` does it.
    package func redraw() async throws {
        writer.redraw()
        if let shown, shown.size == terminal.size { try await show(shown) }
    }

    package func note(_ reply: TerminalReply) async throws {
        let before = (capabilities.background, capabilities.pictures)
        capabilities.note(reply)
        guard before != (capabilities.background, capabilities.pictures) else { return }
        writer = TerminalDisplay.writer(settings, capabilities)
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
