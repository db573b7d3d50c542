/// Input of the user, or a new window size.
package enum TerminalEvent: Sendable, Hashable {
    case key(Key)
    case mouse(MouseEvent)
    /// Pasted text without control characters.
    case paste(String)
    case resized(TerminalSize)
}

package struct TerminalSize: Sendable, Hashable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// Cells count from 0, at the upper left.
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
