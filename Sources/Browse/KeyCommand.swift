internal import TerminalUI

enum KeyCommand: Sendable, Hashable {
    case move(CardCursor.Move)
    case toggle
    /// Has no effect, because the current card is always selected.
    case select
    case undo
    case remove
    case showDetail
    case changeStyle
    case edit
    case leave
    case open(BrowseModel.Tab)
    case otherTab
    case changeMatch
    case retry
    case help
    case quit

    /// Nil if the key has no command in the search field.
    init?(inField key: Key) {
        switch (key.code, key.modifiers) {
        case (.tab, []), (.backTab, _), (.tab, .shift): self = .otherTab
        case (.character("t"), .control): self = .changeMatch
        case (.character("r"), .control): self = .retry
        case (.function(1), _): self = .help
        case (.character("c"), .control): self = .quit
        default: return nil
        }
    }

    /// Nil if the key has no command on the cards.
    init?(_ key: Key) {
        if let command = KeyCommand(inField: key) { self = command; return }
        switch (key.code, key.modifiers.subtracting(.shift)) {
        case (.up, []), (.character("k"), []): self = .move(.up)
        case (.down, []), (.character("j"), []): self = .move(.down)
        case (.left, []), (.character("h"), []): self = .move(.left)
        case (.right, []), (.character("l"), []): self = .move(.right)
        case (.home, []), (.character("g"), []): self = .move(.first)
        case (.end, []), (.character("G"), []): self = .move(.last)
        case (.pageUp, []), (.character("b"), .control): self = .move(.pageUp)
        case (.pageDown, []), (.character("f"), .control): self = .move(.pageDown)
        case (.character("u"), .control): self = .move(.halfPageUp)
        case (.character("d"), .control): self = .move(.halfPageDown)
        case (.enter, []): self = .toggle
        case (.character(" "), []): self = .select
        case (.character("u"), []): self = .undo
        case (.character("x"), []), (.delete, []): self = .remove
        case (.character("d"), []), (.character("o"), []): self = .showDetail
        case (.character("v"), []): self = .changeStyle
        case (.character("/"), []), (.character("i"), []): self = .edit
        case (.escape, []): self = .leave
        case (.character("q"), []): self = .quit
        case (.character("m"), []): self = .changeMatch
        case (.character("1"), []): self = .open(.search)
        case (.character("2"), []): self = .open(.favorites)
        case (.character("r"), []): self = .retry
        case (.character("?"), []): self = .help
        default: return nil
        }
    }
}
