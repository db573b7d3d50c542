/// Turns screens into the bytes that show them: of each frame only what differs from the one before.
///
/// A frame is drawn with the cursor hidden, between the marks of synchronized output (mode 2026), so that a terminal
/// that knows them shows it at once, and others ignore them. Lines must not wrap (see `TerminalModes`).
package struct FrameWriter: Sendable {
    private let theme: Theme
    /// What the terminal shows; nil if that is not known.
    private var shown: Screen?

    package init(theme: Theme) {
        self.theme = theme
    }

    /// The next frame draws everything: the terminal was used by another program.
    package mutating func redraw() {
        shown = nil
    }

    /// The bytes that make the terminal show `screen`; none if it does.
    package mutating func frame(_ screen: Screen) -> [UInt8] {
        var pen = Pen(theme: theme, columns: screen.size.columns)
        let before: Screen
        if let shown, shown.size == screen.size {
            before = shown
        } else {
            before = Screen(size: screen.size)
            pen.append("\u{1B}[m\u{1B}[2J")
        }
        draw(screen, over: before, with: &pen)
        defer { shown = screen }
        let isSame = pen.bytes.isEmpty && shown?.cursor == screen.cursor
        return isSame ? [] : wrapped(&pen, cursor: screen.cursor)
    }

    private func draw(_ screen: Screen, over before: Screen, with pen: inout Pen) {
        for row in 0..<screen.size.rows where screen[row: row] != before[row: row] {
            drawRow(row, of: screen, over: before, with: &pen)
        }
    }

    private func drawRow(_ row: Int, of screen: Screen, over before: Screen, with pen: inout Pen) {
        let cells = Array(screen[row: row])
        let shown = Array(before[row: row])
        let blankTail = (cells.lastIndex { !$0.isPlainBlank } ?? -1) + 1
        // Columns before this one may be damaged: a terminal may have taken more of them than we do.
        var damaged = 0
        var column = 0
        while column < cells.count {
            let cell = cells[column]
            if cell != shown[column] || column < damaged {
                let position = Position(column: column, row: row)
                if column >= blankTail {
                    pen.eraseLine(from: position)
                    return
                }
                pen.write(cell, at: position)
                if !cell.grapheme.hasCertainWidth { damaged = max(damaged, column + cell.grapheme.reach) }
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
