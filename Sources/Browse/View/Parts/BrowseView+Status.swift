internal import MarvelDomain
internal import TerminalUI

extension BrowseView {
    mutating func drawStatus() {
        guard model.message == nil else { return }
        let text = statusText
        let row = layout.status.inset(columns: 1)
        screen.put(text, in: row)
        let room = row.dropFirst(text.isEmpty ? 0 : text.width + 3)
        screen.put(KeyHint.text(hints, width: room.width), in: room, alignment: .right)
    }

    private var statusText: StyledText {
        guard model.sheet == nil else {
            return model.banner.map { StyledText(" \($0.text.printable) ", Style(on: .warning, .bold)) } ?? StyledText()
        }
        if model.tab == .search, model.count > 0, let hint = model.search.hint {
            return StyledText(hint, Style(.warning))
        }
        return StyledText([model.position, context].filter { !$0.isEmpty }.joined(separator: " · "), Style(.muted))
    }

    /// Additional information about the list.
    private var context: String {
        switch layout.list {
        case .recentSearches: return ""
        case .results: return showsEnd && !isEndInBody ? "the end" : ""
        case .favorites:
            guard let list = model.favorites.list, let oldest = list.favorites.first else { return "" }
            let free = list.capacity - list.favorites.count
            return free > 0 ? "room for \(free) more" : "full: the next one replaces \(oldest.character.shownName)"
        }
    }

    private var hints: [KeyHint] {
        switch model.sheet {
        case .detail(let detail): [KeyHint("Esc", "back"), toggleHint(detail.character), KeyHint("↑↓", "scroll")]
        case .help: [KeyHint("Esc", "back"), KeyHint("↑↓", "scroll"), KeyHint("a", "about the server")]
        case .about: [KeyHint("Esc", "back"), KeyHint("↑↓", "scroll")]
        case nil: model.cardsHaveFocus ? cardHints : fieldHints
        }
    }

    private var fieldHints: [KeyHint] {
        let suggestions = model.search.suggestions
        let enter = KeyHint("Enter", suggestions.chosen == nil ? "search" : "take it")
        if suggestions.isOpen { return [enter, KeyHint("↓", "choose"), KeyHint("Esc", "to the cards")] }
        let down = model.count > 0 ? [KeyHint("↓", "to the cards")] : []
        return [enter] + down + [KeyHint("F1", "help")]
    }

    private var cardHints: [KeyHint] {
        let undo = model.lastChange == nil ? [] : [KeyHint("u", "undo")]
        let toggle = (model.selectedCharacter.map { [toggleHint($0), KeyHint("d", "details")] } ?? []) + undo
        return switch layout.list {
        case .recentSearches: [KeyHint("Enter", "search"), KeyHint("x", "forget"), KeyHint("/", "type")]
        case .results: toggle + (model.count > 0 ? [styleHint] : []) + [KeyHint("/", "type")]
        case .favorites: toggle + [model.count > 0 ? styleHint : KeyHint("Tab", "search")]
        }
    }

    private func toggleHint(_ character: MarvelCharacter) -> KeyHint {
        KeyHint("Enter", model.isFavorite(character.id) ? "remove" : "save")
    }

    private var styleHint: KeyHint { KeyHint("v", model.style == .list ? "grid" : "list") }

    /// Draws the attribution, which must be shown in full.
    mutating func drawFooter() {
        let text = StyledText(model.attribution.printable, Style(.muted))
        let lines = text.lines(width: layout.footer.width, count: layout.footer.height)
        for (row, line) in zip(layout.footer.rows, lines) {
            let isNarrow = line.width + 2 > layout.footer.width
            screen.put(line, in: layout.footer.line(row).inset(columns: isNarrow ? 0 : 1))
        }
    }
}

/// A key and its current meaning.
struct KeyHint: Sendable, Equatable {
    var key: String
    var meaning: String

    init(_ key: String, _ meaning: String) {
        self.key = key
        self.meaning = meaning
    }

    /// Returns as many hints as fit; the most important ones come first.
    static func text(_ hints: [KeyHint], width: Int) -> StyledText {
        var text = StyledText()
        for hint in hints {
            var next = text
            if !text.isEmpty { next.append(" · ", Style(.muted)) }
            next.append(hint.key, .bold)
            next.append(" \(hint.meaning)", Style(.muted))
            guard next.width <= width else { break }
            text = next
        }
        return text
    }
}
