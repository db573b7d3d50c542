/// Encodes screens as terminal bytes. Each frame contains only the difference to the previous one.
///
/// Frames use synchronized output (mode 2026). Automatic line wrap must be off (see `TerminalModes`).
package struct FrameWriter: Sendable {
    private let theme: Theme
    private var pictures: PictureWriter
    /// The frame on the terminal; nil if unknown.
    private var shown: Screen?

    package init(theme: Theme, pictures: PictureProtocol = .halfBlocks) {
        self.theme = theme
        // Half blocks need colors.
        self.pictures = PictureWriter(theme.depth == .none && pictures == .halfBlocks ? .none : pictures)
    }

    /// Makes the next frame draw everything, after another program or a resize has changed the window.
    package mutating func redraw() {
        shown = nil
    }

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
        for row in 0..<screen.size.rows where screen[row: row] != before[row: row] {
            FrameWriter.draw(row, Array(screen[row: row]), over: Array(before[row: row]), with: &pen)
        }
        pictures.draw(screen, with: &pen)
        defer { shown = screen }
        let isSame = pen.bytes.isEmpty && shown?.cursor == screen.cursor
        return isSame ? [] : wrapped(&pen, cursor: screen.cursor)
    }

    private static func draw(_ row: Int, _ cells: [Cell], over shown: [Cell], with pen: inout Pen) {
        let blankTail = (cells.lastIndex { !$0.isPlainBlank } ?? -1) + 1
        // Columns before this one may be overwritten: a terminal may use more columns for a grapheme than we do.
        var reached = 0
        var column = 0
        while column < cells.count {
            let cell = cells[column]
            if cell != shown[column] || column < reached {
                let position = Position(column: column, row: row)
                guard column < blankTail else { return pen.eraseLine(from: position) }
                pen.write(cell, at: position)
                if !cell.grapheme.hasCertainWidth { reached = max(reached, column + cell.grapheme.reach) }
            }
            column += max(Int(cell.width), 1)
        }
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
