/// A renderer of screens to terminal bytes. For each frame it writes only the difference to the previous frame.
///
/// A frame is drawn with the cursor hidden, inside synchronized output (mode 2026). A terminal that supports the mode
/// shows the frame at once; other terminals ignore it. Automatic line wrap must be off (see `TerminalModes`).
package struct FrameWriter: Sendable {
    private let theme: Theme
    private var pictures: PictureWriter
    /// The frame that the terminal shows; nil if unknown.
    private var shown: Screen?

    package init(theme: Theme, pictures: PictureProtocol = .halfBlocks) {
        self.theme = theme
        // Half blocks need colors.
        self.pictures = PictureWriter(theme.depth == .none && pictures == .halfBlocks ? .none : pictures)
    }

    /// Makes the next frame draw everything, because another program has used the terminal.
    package mutating func redraw() {
        shown = nil
    }

    /// Returns the bytes that make the terminal show `screen`; empty if it shows it already.
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
