package enum TerminalInput: Sendable, Hashable {
    case event(TerminalEvent)
    /// A reply to a query (see `TerminalCapabilities.queries`).
    case reply(TerminalReply)
}

package enum TerminalReply: Sendable, Hashable {
    case kittyGraphics(isSupported: Bool)
    case background(Theme.Background)
    case cellSize(PixelSize)
}

package struct PixelSize: Sendable, Hashable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

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

package struct Key: Sendable, Hashable {
    package enum Code: Sendable, Hashable {
        /// One grapheme cluster; in lower case if Control is held.
        case character(Character)
        case enter, tab, backTab, escape, backspace, delete, f1
        case up, down, left, right, home, end, pageUp, pageDown
    }

    package struct Modifiers: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let shift = Modifiers(rawValue: 1)
        package static let alt = Modifiers(rawValue: 2)
        package static let control = Modifiers(rawValue: 4)
    }

    package var code: Code
    package var modifiers: Modifiers

    package init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    package static func character(_ character: Character) -> Key { Key(.character(character)) }

    package static func control(_ character: Character) -> Key { Key(.character(character), .control) }
}
