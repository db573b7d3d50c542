package import TerminalUI

package struct QueryField: Sendable, Equatable {
    /// In grapheme clusters, to limit large pastes. A query may have 100.
    package static let maximumLength = 200

    package private(set) var beforeCursor = ""
    package private(set) var afterCursor = ""

    package init(_ text: String = "") { replace(with: text) }

    package var text: String { beforeCursor + afterCursor }
    package var isEmpty: Bool { beforeCursor.isEmpty && afterCursor.isEmpty }

    package mutating func replace(with text: String) {
        beforeCursor = ""
        afterCursor = ""
        insert(text)
    }

    package mutating func insert(_ text: String) {
        let room = QueryField.maximumLength - beforeCursor.count - afterCursor.count
        beforeCursor += QueryField.cleaned(text.prefix(max(room, 0)))
    }

    static func cleaned(_ text: some StringProtocol) -> String {
        var cleaned = ""
        for character in text {
            if character.isWhitespace {
                cleaned.append(" ")
            } else if character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) {
                cleaned.append(character)
            }
        }
        return cleaned
    }

    package mutating func edit(_ key: Key) -> Bool {
        switch key.code {
        case .character(let character) where key.modifiers.isSubset(of: .shift): insert(String(character))
        case .character(let character) where key.modifiers == .control: return edit(control: character)
        case .backspace where key.modifiers.contains(.alt): deleteWord()
        case .backspace: _ = beforeCursor.popLast()
        case .delete: _ = afterCursor.isEmpty ? nil : afterCursor.removeFirst()
        case .left: moveLeft()
        case .right: moveRight()
        case .home: moveToStart()
        case .end: moveToEnd()
        default: return false
        }
        return true
    }

    private mutating func edit(control character: Character) -> Bool {
        switch character {
        case "a": moveToStart()
        case "e": moveToEnd()
        case "b": moveLeft()
        case "f": moveRight()
        case "h": _ = beforeCursor.popLast()
        case "d": _ = afterCursor.isEmpty ? nil : afterCursor.removeFirst()
        case "k": afterCursor = ""
        case "u": beforeCursor = ""
        case "w": deleteWord()
        default: return false
        }
        return true
    }

    private mutating func moveLeft() {
        guard let letter = beforeCursor.popLast() else { return }
        afterCursor.insert(letter, at: afterCursor.startIndex)
    }

    private mutating func moveRight() {
        guard !afterCursor.isEmpty else { return }
        beforeCursor.append(afterCursor.removeFirst())
    }

    private mutating func moveToStart() {
        afterCursor = text
        beforeCursor = ""
    }

    private mutating func moveToEnd() {
        beforeCursor = text
        afterCursor = ""
    }

    private mutating func deleteWord() {
        while beforeCursor.last == " " { beforeCursor.removeLast() }
        while let last = beforeCursor.last, last != " " { beforeCursor.removeLast() }
    }
}
