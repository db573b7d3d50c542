/// What a person did at a terminal, or what the terminal says of itself.
package enum TerminalEvent: Sendable, Hashable {
    case key(Key)
    case mouse(MouseEvent)
    /// Text that was pasted in one go, without control characters.
    case paste(String)
    case resized(TerminalSize)
}

/// A terminal's window, in cells.
package struct TerminalSize: Sendable, Hashable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}
