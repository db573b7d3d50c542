internal import MarvelDomain
internal import TerminalUI

extension BrowseModel {
    /// Handles an event, and returns the effects to carry out, in order.
    package mutating func update(_ event: BrowseEvent) -> [BrowseEffect] {
        guard !isOver else { return handleWhenOver(event) }
        let effects = handle(event)
        return isOver ? effects : effects + deriveEffects()
    }

    private mutating func handle(_ event: BrowseEvent) -> [BrowseEffect] {
        switch event {
        case .terminal(let event): return handle(event)
        case .quit: return quit()
        case .timerFired(let timer): return fired(timer)
        case .recentSearchesLoaded(let queries):
            search.recent.load(queries)
            return []
        case .search(let id, let news):
            let visible = list == .results ? cursor.visible(in: layout.grid, count: count) : 0..<0
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

    /// After the user has quit, only completes pending toggles. Failures are ignored.
    private mutating func handleWhenOver(_ event: BrowseEvent) -> [BrowseEffect] {
        guard case .toggleAnswered(let id, let answer) = event else { return [] }
        return toggles.answered(id, answer, listRevision: favorites.list?.revision).effects
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
        case .searchRest: return search.rested()
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

    /// Whether the live list shows a change.
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
