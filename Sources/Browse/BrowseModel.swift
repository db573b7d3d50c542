package import MarvelDomain
package import TerminalUI

/// The state of the app, independent of terminal and network. Equal models are drawn identically.
package struct BrowseModel: Sendable, Equatable {
    package enum Tab: Sendable, Hashable, CaseIterable {
        case search
        case favorites
    }

    package enum Sheet: Sendable, Equatable {
        case detail(MarvelCharacter)
        case help
    }

    package internal(set) var size: TerminalSize
    package internal(set) var style: CardStyle
    package internal(set) var tab = Tab.search
    package internal(set) var sheet: Sheet? { didSet { sheetScroll = 0 } }
    package internal(set) var sheetScroll = 0
    package internal(set) var search = SearchTab()
    package internal(set) var favorites = FavoritesTab()
    package internal(set) var toggles = Toggles()
    package internal(set) var pictures: Pictures
    package internal(set) var message: Message?
    /// The frame number of the spinner; nil while nothing is in progress.
    package internal(set) var spinner: Int?
    /// Whether a search that failed with the connection is still to be retried.
    var mayRetryLostSearch = false
    package internal(set) var isOver = false
    package internal(set) var isInterrupted = false
    /// The character of the last clicked card; nil after any other input.
    var clicked: Int64?
    var lastChange: FavoriteChange?
    var undo: FavoriteChange?

    package init(size: TerminalSize, style: CardStyle = .list, showsPictures: Bool = true) {
        self.size = size
        self.style = style
        self.pictures = Pictures(isEnabled: showsPictures)
    }

    package var firstEffects: [BrowseEffect] { [.followFavorites] }
}

extension BrowseModel {
    /// Returns the effects to carry out, in order.
    package mutating func update(_ event: BrowseEvent) -> [BrowseEffect] {
        guard !isOver else { return handleWhenOver(event) }
        let effects = handle(event.withinLimits)
        return isOver ? effects : effects + deriveEffects()
    }

    private mutating func handle(_ event: BrowseEvent) -> [BrowseEffect] {
        switch event {
        case .terminal(let event): return handle(event)
        case .quit: return quit()
        case .timerFired(let timer): return fired(timer)
        case .search(let id, let news):
            let visible = tab == .search ? cursor.visible(in: layout.grid, count: count) : 0..<0
            return search.received(news, of: id, visible: visible)
        case .suggestions(let typed, let suggestions):
            search.suggestions.received(suggestions, typed: typed)
            return []
        case .favorites(let state): return received(state)
        case .toggleAnswered(let id, let answer):
            let (effects, message) = toggles.answered(id, answer, listRevision: favorites.list?.revision)
            return effects + follow(answer, of: id) + show(message)
        case .toggleRefused(let id, let failure):
            let message = toggles.refused(id, failure)
            if !failure.mayHaveHappened { forgetChange(of: id) }
            // The list may already show the change.
            return failure.mayHaveHappened && listShows(message?.retry) ? [] : show(message)
        case .picture(let key, let state): return pictures.received(state, for: key)
        }
    }

    private mutating func handleWhenOver(_ event: BrowseEvent) -> [BrowseEffect] {
        guard case .toggleAnswered(let id, let answer) = event else { return [] }
        let (effects, _) = toggles.answered(id, answer, listRevision: favorites.list?.revision)
        // Nothing is shown any more, but a change that was undone is undone as a whole.
        return (effects + follow(answer, of: id)).filter { if case .toggle = $0 { true } else { false } }
    }

    private mutating func handle(_ event: TerminalEvent) -> [BrowseEffect] {
        switch event {
        case .key(let key): return pressed(key)
        case .mouse(let event): return handle(event)
        case .paste(let text): return pasted(text)
        case .resized(let size):
            self.size = size
            return []
        }
    }

    private mutating func fired(_ timer: BrowseTimer) -> [BrowseEffect] {
        switch timer {
        case .typingPause: return search.paused()
        case .countdown: return favorites.secondPassed()
        case .message:
            message = nil
            return []
        case .spinner:
            guard let frame = spinner, isBusy else { return [] }
            spinner = frame + 1
            return [.startTimer(.spinner)]
        }
    }

    private mutating func received(_ state: FavoritesState) -> [BrowseEffect] {
        let wasLive = favorites.isLive
        var effects = favorites.received(state)
        if listShows(message?.retry) { effects += hideMessage() }
        if case .lost = state.connection { mayRetryLostSearch = true }
        guard favorites.isLive, let revision = favorites.list?.revision else { return effects }
        if wasLive {
            toggles.listCame(to: revision)
            return effects
        }
        toggles.listWasReadAnew()
        return effects + resume()
    }

    private func listShows(_ change: FavoriteChange?) -> Bool {
        guard let change, favorites.isLive else { return false }
        return favorites.ids.contains(change.character.id) == change.isFavorite
    }

    private mutating func resume() -> [BrowseEffect] {
        if search.failure?.isConnectionLost == true { mayRetryLostSearch = true }
        return pictures.retryFailed()
    }

    mutating func show(_ message: Message?) -> [BrowseEffect] {
        guard let message else { return [] }
        let effects = hideMessage()
        self.message = message
        // A failure stays until the user presses a key or clicks.
        return message.kind == .info ? effects + [.startTimer(.message)] : effects
    }

    mutating func hideMessage() -> [BrowseEffect] {
        guard message != nil else { return [] }
        message = nil
        return [.stopTimer(.message)]
    }
}

extension BrowseModel {
    mutating func deriveEffects() -> [BrowseEffect] {
        moveCursor { $0.keepInView(in: $1, count: $2) }
        keepSheetInView()
        retryLostSearch()
        if search.suggestions.chosen != nil { search.suggestions.keepChosen(within: layout.suggestions.height) }
        return askForRows() + askForPictures() + turnSpinner()
    }

    /// Retries a search that failed with the connection, once for each reconnection. It runs after every event, because
    /// the search may fail later than the list reports the loss.
    private mutating func retryLostSearch() {
        guard mayRetryLostSearch, favorites.isLive, search.failure?.isConnectionLost == true else { return }
        mayRetryLostSearch = false
        search.retry()
    }

    private mutating func keepSheetInView() {
        guard sheetScroll != 0, let area = layout.sheetText else { return }
        sheetScroll = max(min(sheetScroll, sheetLines(width: area.width).count - area.height), 0)
    }

    var isBusy: Bool { search.isLoading || toggles.isAnyPending || !pictures.loading.isEmpty }

    private mutating func askForRows() -> [BrowseEffect] {
        // Invisible rows are not requested, except for the first page of a new search.
        let isVisible = tab == .search && !layout.isTooSmall
        guard isVisible || search.pendingResults != nil else { return [] }
        let grid = layout.grid
        let visible = tab == .search ? cursor.visible(in: grid, count: count) : 0..<0
        // A page is one screen, within 10 to 100 rows.
        let pageSize = min(max(grid.visibleCount, 10), 100)
        return search.ask(for: visible, pageSize: pageSize)
    }

    private mutating func askForPictures() -> [BrowseEffect] {
        guard pictures.isEnabled else { return [] }
        return pictures.want(wantedPictures)
    }

    private var wantedPictures: [PictureKey] {
        let layout = layout
        guard !layout.isTooSmall else { return [] }
        if case .detail(let character) = sheet {
            return character.thumbnail == nil ? [] : [PictureKey(character.id, .detail)]
        }
        return cardPictures(layout)
    }

    private func cardPictures(_ layout: BrowseLayout) -> [PictureKey] {
        guard layout.grid.picture != nil else { return [] }
        let visible = cursor.visible(in: layout.grid, count: count)
        let places = visible.lowerBound..<min(visible.upperBound + layout.grid.columns, count)
        return places.compactMap { place in
            character(at: place).flatMap { $0.thumbnail == nil ? nil : PictureKey($0.id, .card) }
        }
    }

    private mutating func turnSpinner() -> [BrowseEffect] {
        guard isBusy != (spinner != nil) else { return [] }
        spinner = isBusy ? 0 : nil
        return [isBusy ? .startTimer(.spinner) : .stopTimer(.spinner)]
    }
}

package struct Card: Sendable, Equatable {
    package var character: MarvelCharacter
    package var isSelected: Bool
    package var isFavorite: Bool
    package var isPending: Bool
    package var picture: Pictures.State
}

extension BrowseModel {
    package var count: Int {
        switch tab {
        case .search: search.results?.count ?? 0
        case .favorites: favorites.favorites.count
        }
    }

    package internal(set) var cursor: CardCursor {
        get { self[keyPath: cursorPath] }
        set { self[keyPath: cursorPath] = newValue }
    }

    private var cursorPath: WritableKeyPath<BrowseModel, CardCursor> {
        switch tab {
        case .search: \.search.resultsCursor
        case .favorites: \.favorites.cursor
        }
    }

    package var cardsHaveFocus: Bool { tab == .favorites || search.focus == .cards }

    mutating func moveCursor(_ move: (inout CardCursor, CardGrid, Int) -> Void) {
        let (grid, count) = (layout.grid, count)
        move(&cursor, grid, count)
    }

    package func character(at place: Int) -> MarvelCharacter? {
        switch tab {
        case .search: search.results?.rows[place]
        case .favorites: favorites.favorites.indices.contains(place) ? favorites.favorites[place].character : nil
        }
    }

    package var selectedCharacter: MarvelCharacter? { character(at: cursor.selected) }

    package func card(at place: Int) -> Card? {
        guard let character = character(at: place) else { return nil }
        return Card(
            character: character,
            isSelected: place == cursor.selected && cardsHaveFocus,
            isFavorite: isFavorite(character.id),
            isPending: toggles.isPending(character.id),
            picture: picture(of: character, .card)
        )
    }

    package func picture(of character: MarvelCharacter, _ size: PictureKey.Size) -> Pictures.State {
        character.thumbnail == nil ? .none : pictures[PictureKey(character.id, size)]
    }

    /// The user's pending change counts first, then the list, then the search results.
    package func isFavorite(_ id: Int64) -> Bool {
        if let isWanted = toggles[id] { return isWanted }
        guard favorites.list == nil else { return favorites.ids.contains(id) }
        return search.results?.favoriteIDs.contains(id) ?? false
    }

    package func savedAt(_ id: Int64) -> Timestamp? {
        favorites.favorites.first { $0.character.id == id }?.savedAt
    }
}
