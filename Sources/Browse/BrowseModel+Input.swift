internal import MarvelDomain
internal import TerminalUI

extension BrowseModel {
    mutating func pressed(_ key: Key) -> [BrowseEffect] {
        let command = isTyping ? KeyCommand(inField: key) : KeyCommand(key)
        let refused = message?.retry
        let effects = hideMessage()
        clicked = nil
        if let refused, command == .retry { return effects + request(refused) }
        if key == .control("c") {
            isInterrupted = true
            return effects + quit()
        }
        if let sheet { return effects + run(command, on: sheet) }
        if isTyping, command == nil { return effects + typed(key) }
        // Only the arrow key moves to the field: a held `k` would type letters into it.
        if tab == .search, key == Key(.up), cursor.selected < layout.grid.columns { return effects + focusField() }
        return effects + (command.map { run($0) } ?? [])
    }

    var isTyping: Bool { sheet == nil && !cardsHaveFocus }

    // MARK: Cards

    mutating func run(_ command: KeyCommand) -> [BrowseEffect] {
        switch command {
        case .move(let move): moveCursor { $0.move(move, in: $1, count: $2) }
        case .toggle: return use(cursor.selected)
        case .leave: break
        case .undo: return undoLastChange()
        case .remove: return remove(cursor.selected)
        case .showDetail: if let character = selectedCharacter { sheet = .detail(character) }
        case .changeStyle: style = style == .list ? .grid : .list
        case .edit: return focusField()
        case .open(let tab): self.tab = tab
        case .otherTab: tab = tab == .search ? .favorites : .search
        case .help: sheet = .help
        case .quit: return quit()
        case .retry: return retry()
        case .changeMatch: return tab == .search ? search.changeMatch() : []
        }
        return []
    }

    mutating func use(_ place: Int) -> [BrowseEffect] {
        character(at: place).map { toggle($0) } ?? []
    }

    mutating func toggle(_ character: MarvelCharacter) -> [BrowseEffect] {
        var change = FavoriteChange(character: character, isFavorite: !isFavorite(character.id))
        // It replaces the removal that would have brought back what had left the list.
        if let undone = undo, undone.character.id == character.id {
            change.evicted = undone.evicted
            undo = nil
        }
        lastChange = change
        return request(change)
    }

    mutating func request(_ change: FavoriteChange) -> [BrowseEffect] {
        toggles.request(change.character, isFavorite: change.isFavorite)
    }

    mutating func remove(_ place: Int) -> [BrowseEffect] {
        guard let character = character(at: place), isFavorite(character.id) else { return [] }
        return toggle(character)
    }

    mutating func retry() -> [BrowseEffect] {
        var effects = pictures.retryFailed()
        switch favorites.connection {
        case .connecting, .lost, .ended: effects += favorites.reconnect()
        case .live: break
        }
        if search.failure?.canRetry == true { search.retry() }
        return tab == .search && search.isLoading ? effects + search.cancel() : effects
    }

    mutating func quit() -> [BrowseEffect] {
        isOver = true
        return [.quit]
    }

    // MARK: The field

    mutating func focusField() -> [BrowseEffect] {
        tab = .search
        search.focus = .field
        return []
    }

    private mutating func typed(_ key: Key) -> [BrowseEffect] {
        switch (key.code, key.modifiers) {
        case (.enter, _): return entered()
        case (.escape, _): return leaveField()
        case (.down, _) where search.suggestions.isOpen: search.suggestions.chooseNext()
        case (.up, _) where search.suggestions.isOpen: search.suggestions.choosePrevious()
        case (.down, _): return leaveField()
        case (.pageDown, _), (.pageUp, _):
            moveCursor { $0.move(key.code == .pageDown ? .pageDown : .pageUp, in: $1, count: $2) }
        default:
            let before = search.field.text
            if search.field.edit(key), search.field.text != before { return search.typed() }
        }
        return []
    }

    mutating func pasted(_ text: String) -> [BrowseEffect] {
        guard isTyping else { return [] }
        search.field.insert(text)
        return hideMessage() + search.typed()
    }

    private mutating func entered() -> [BrowseEffect] {
        if let name = search.suggestions.chosenName { return take(name) }
        guard search.query != nil else { return show(search.hint.map { Message($0) }) }
        search.focus = .cards
        return search.suggestions.close() + search.search()
    }

    mutating func take(_ name: String) -> [BrowseEffect] {
        search.focus = .cards
        return search.search(for: name)
    }

    mutating func leaveField() -> [BrowseEffect] {
        search.focus = .cards
        return search.suggestions.close()
    }

    // MARK: Sheets

    private mutating func run(_ command: KeyCommand?, on sheet: Sheet) -> [BrowseEffect] {
        switch (command, sheet) {
        case (.leave, _), (.quit, _), (.help, .help), (.showDetail, .detail):
            self.sheet = nil
        case (.help, .detail): self.sheet = .help
        case (.move(let move), _): sheetScroll += lines(of: move)
        case (.toggle, .detail(let character)): return toggle(character)
        case (.undo, .detail): return undoLastChange()
        case (.retry, _): return retry()
        default: break
        }
        return []
    }

    private func lines(of move: CardCursor.Move) -> Int {
        let page = max(size.rows - 6, 1)
        return switch move {
        case .up, .left: -1
        case .down, .right: 1
        case .halfPageUp: -page / 2
        case .halfPageDown: page / 2
        case .pageUp: -page
        case .pageDown: page
        case .first: -10_000
        case .last: 10_000
        }
    }
}

extension BrowseModel {
    mutating func handle(_ event: MouseEvent) -> [BrowseEffect] {
        let before = clicked
        clicked = nil
        switch event.action {
        case .scrollUp: return scroll(-1)
        case .scrollDown: return scroll(1)
        case .press:
            // Find the target before hiding the message, because the message covers the area below it.
            let target = layout.target(at: event.position)
            return hideMessage() + click(target, after: before)
        }
    }

    private mutating func scroll(_ direction: Int) -> [BrowseEffect] {
        guard sheet == nil else {
            sheetScroll += 3 * direction
            return []
        }
        // About three lines, for any card height.
        let rows = max(3 / layout.grid.cardHeight, 1)
        moveCursor { $0.scroll(rows: rows * direction, in: $1, count: $2) }
        return []
    }

    /// `before` is the character whose card was clicked directly before; nil after any other input.
    private mutating func click(_ target: BrowseLayout.Target?, after before: Int64?) -> [BrowseEffect] {
        switch target {
        case .tab(let tab):
            sheet = nil
            self.tab = tab
            return []
        case .field: return focusField()
        case .match: return run(.changeMatch)
        case .help:
            guard case .help = sheet else { return run(.help) }
            sheet = nil
            return []
        case .suggestion(let index): return take(search.suggestions.names[index])
        case .card(let place):
            let closing = tab == .search ? leaveField() : []
            moveCursor { $0.select(place, in: $1, count: $2) }
            return closing + click(cardAt: place, after: before)
        case .outside:
            sheet = nil
            return []
        case nil: return []
        }
    }

    /// The first click selects, the second saves or removes.
    private mutating func click(cardAt place: Int, after before: Int64?) -> [BrowseEffect] {
        guard let id = character(at: place)?.id else { return [] }
        if id == before { return use(place) }
        clicked = id
        return []
    }
}

enum KeyCommand: Sendable, Hashable {
    case move(CardCursor.Move)
    case toggle
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

    init?(inField key: Key) {
        switch (key.code, key.modifiers) {
        case (.tab, []), (.backTab, _), (.tab, .shift): self = .otherTab
        case (.character("t"), .control): self = .changeMatch
        case (.character("r"), .control): self = .retry
        case (.f1, _): self = .help
        case (.character("c"), .control): self = .quit
        default: return nil
        }
    }

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
