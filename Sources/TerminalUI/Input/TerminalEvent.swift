/// An event at a terminal: input of the user, or a new window size.
package enum TerminalEvent: Sendable, Hashable {
    case key(Key)
    case mouse(MouseEvent)
    /// Text that was pasted at once, without control characters.
    case paste(String)
    case resized(TerminalSize)
}

/// The size of a terminal window in cells.
package struct TerminalSize: Sendable, Hashable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}
