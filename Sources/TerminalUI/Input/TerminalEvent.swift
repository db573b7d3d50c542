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

/// A mouse event in the window. Cells are counted from 0, at the upper left.
package struct MouseEvent: Sendable, Hashable {
    package enum Action: Sendable, Hashable {
        /// The left button was pressed.
        case press
        case scrollUp
        case scrollDown
    }

    package var action: Action
    package var position: Position

    package init(_ action: Action, at position: Position) {
        self.action = action
        self.position = position
    }
}
