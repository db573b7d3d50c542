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

    /// Whether typed characters go to the search field.
    var isTyping: Bool { sheet == nil && !cardsHaveFocus }

    // MARK: Cards

    mutating func run(_ command: KeyCommand) -> [BrowseEffect] {
        switch command {
        case .move(let move): moveCursor { $0.move(move, in: $1, count: $2) }
        case .toggle: return use(cursor.selected)
        case .select, .leave: break
        case .undo: return undoLastChange()
        case .remove: return remove(cursor.selected)
        case .showDetail: return showDetail()
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

    /// Activates a card, as Enter or a second click does.
    mutating func use(_ place: Int) -> [BrowseEffect] {
        if list == .recentSearches {
            guard search.recent.queries.indices.contains(place) else { return [] }
            search.focus = .cards
            return search.search(for: search.recent.queries[place]) + search.rememberQuery()
        }
        guard let character = character(at: place) else { return [] }
        return toggle(character) + (list == .results ? search.rememberResults() : [])
    }

    mutating func toggle(_ character: MarvelCharacter) -> [BrowseEffect] {
        let change = FavoriteChange(character: character, isFavorite: !isFavorite(character.id))
        lastChange = change
        return request(change)
    }

    mutating func request(_ change: FavoriteChange) -> [BrowseEffect] {
        toggles.request(change.character, isFavorite: change.isFavorite)
    }

    mutating func remove(_ place: Int) -> [BrowseEffect] {
        switch list {
        case .recentSearches where search.recent.queries.indices.contains(place): return search.forget(at: place)
        case .recentSearches: return []
        case .results, .favorites:
            guard let character = character(at: place), isFavorite(character.id) else { return [] }
            return toggle(character)
        }
    }

    private mutating func showDetail() -> [BrowseEffect] {
        guard let character = selectedCharacter else { return [] }
        sheet = .detail(character)
        return list == .results ? search.rememberResults() : []
    }

    mutating func retry() -> [BrowseEffect] {
        var effects = pictures.retryFailed()
        switch favorites.connection {
        case .connecting, .lost, .ended: effects += favorites.reconnect()
        case .live: break
        }
        if search.failure?.canRetry == true { search.retry() }
        return tab == .search && search.isLoading ? effects + search.askAnew() : effects
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

    /// Takes the chosen suggestion, or searches without a delay.
    private mutating func entered() -> [BrowseEffect] {
        if let name = search.suggestions.chosenName { return take(name) }
        guard search.query != nil else { return show(search.hint.map { Message($0) }) }
        search.focus = .cards
        return search.suggestions.close() + search.search() + search.rememberQuery()
    }

    mutating func take(_ name: String) -> [BrowseEffect] {
        search.focus = .cards
        return search.search(for: name) + search.rememberQuery()
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
