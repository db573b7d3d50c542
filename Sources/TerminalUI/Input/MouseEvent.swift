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
