/// Turns screens into the bytes that show them: of each frame only what differs from the one before.
///
/// A frame is drawn with the cursor hidden, between the marks of synchronized output (mode 2026), so that a terminal
/// that knows them shows it at once, and others ignore them. Lines must not wrap (see `TerminalModes`).
package struct FrameWriter: Sendable {
    private let theme: Theme
    private var pictures: PictureWriter
    /// What the terminal shows; nil if that is not known.
    private var shown: Screen?

    package init(theme: Theme, pictures: PictureProtocol = .halfBlocks) {
        self.theme = theme
        // Letters without colors show no picture.
        self.pictures = PictureWriter(theme.depth == .none && pictures == .halfBlocks ? .none : pictures)
    }

    /// The next frame draws everything: the terminal was used by another program.
    package mutating func redraw() {
        shown = nil
    }

    /// The bytes that make the terminal show `screen`; none if it does.
    package mutating func frame(_ screen: Screen) -> [UInt8] {
        let screen = pictures.prepared(screen)
        var pen = Pen(theme: theme, columns: screen.size.columns)
        let before: Screen
        if let shown, shown.size == screen.size {
            before = shown
        } else {
            before = Screen(size: screen.size)
            pen.append("\u{1B}[m\u{1B}[2J")
            pictures.start(with: &pen)
        }
        var cells = CellWriter(screen, over: before, pictures.isInCells ? before.pictures + screen.pictures : [])
        cells.draw(with: &pen)
        pictures.draw(screen, over: before, damaged: cells.damaged, with: &pen)
        defer { shown = screen }
        let isSame = pen.bytes.isEmpty && shown?.cursor == screen.cursor
        return isSame ? [] : wrapped(&pen, cursor: screen.cursor)
    }

    private func wrapped(_ pen: inout Pen, cursor: Position?) -> [UInt8] {
        let wasHidden = shown != nil && shown?.cursor == nil
        let before = "\u{1B}[?2026h" + (wasHidden ? "" : "\u{1B}[?25l")
        if let cursor {
            pen.move(to: cursor)
            pen.append("\u{1B}[?25h")
        }
        pen.append("\u{1B}[?2026l")
        return Array(before.utf8) + pen.bytes
    }
}
