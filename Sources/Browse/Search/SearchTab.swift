package import MarvelDomain

/// What the person types, and what is found.
package struct SearchTab: Sendable, Equatable {
    /// Where keys go.
    package enum Focus: Sendable, Equatable {
        case field
        /// The results, or the recent searches where those are shown.
        case cards
    }

    package internal(set) var field = QueryField()
    package internal(set) var focus = Focus.field
    package internal(set) var suggestions = Suggestions()
    package internal(set) var recent = RecentSearches()
    package private(set) var match = Match.prefix
    /// What is shown.
    package private(set) var results: Results?
    /// What was searched for last, until something has come of it: till then what was found before stays.
    package private(set) var coming: Results?
    private var nextID = SearchID(1)
    private var awaitsPause = false
    private var awaitsRest = false

    package init() {}

    /// What is in the field, if that can be searched for.
    package var query: SearchQuery? { try? SearchQuery(field.text) }
    package var showsRecentSearches: Bool { results == nil && coming == nil }
    package var isLoading: Bool { coming != nil || results?.isLoading == true }
    /// Why nothing comes.
    package var trouble: Trouble? { results?.trouble }

    // MARK: Searching

    /// The field has changed.
    mutating func typed() -> [BrowseEffect] {
        let areResultsHere = query.map { coming == nil && isSearched($0) } ?? false
        let effects = (areResultsHere ? suggestions.close() : suggestions.typed(field.text)) + stopResting()
        guard let query else { return effects + stopWaiting() + clear() }
        guard !isSearched(query) else { return effects + stopWaiting() }
        awaitsPause = true
        return effects + [.startTimer(.typingPause)]
    }

    /// Searches for what is in the field now, unless that is what was searched for last.
    mutating func search() -> [BrowseEffect] {
        let effects = stopWaiting()
        guard let query else { return effects }
        guard !isSearched(query) else {
            retry()
            return effects
        }
        return effects + search(query)
    }

    mutating func search(for text: String) -> [BrowseEffect] {
        field.replace(with: text)
        return suggestions.close() + search()
    }

    mutating func changeMatch() -> [BrowseEffect] { compare(match.next) }

    mutating func compare(_ match: Match) -> [BrowseEffect] {
        self.match = match
        return query == nil ? [] : search()
    }

    /// What could not be had is wanted again.
    mutating func retry() { results?.retry() }

    /// What was asked for and does not come is wanted again.
    mutating func askAnew() -> [BrowseEffect] { cancel() }

    private func isSearched(_ query: SearchQuery) -> Bool {
        guard let last = coming ?? results else { return false }
        return last.query == query && last.match == match
    }

    /// What it asks for is asked for by `ask`.
    private mutating func search(_ query: SearchQuery) -> [BrowseEffect] {
        let cancels = cancel() + stopResting()
        coming = Results(query, match: match)
        return cancels
    }

    private mutating func cancel() -> [BrowseEffect] {
        (coming?.cancel() ?? []) + (results?.cancel() ?? [])
    }

    private mutating func clear() -> [BrowseEffect] {
        let cancels = cancel()
        coming = nil
        results = nil
        return cancels
    }

    // MARK: Pages

    mutating func ask(for visible: Range<Int>, pageSize: Int) -> [BrowseEffect] {
        guard coming == nil else { return coming?.ask(for: 0..<0, pageSize: pageSize, ids: &nextID) ?? [] }
        return results?.ask(for: visible, pageSize: pageSize, ids: &nextID) ?? []
    }

    mutating func received(_ news: SearchNews, of id: SearchID, visible: Range<Int>) -> [BrowseEffect] {
        if coming?.stream?.id == id {
            results = coming
            coming = nil
            return (results?.received(news, visible: 0..<0) ?? []) + makeRoom() + startResting()
        }
        guard results?.stream?.id == id else { return [] }
        return results?.received(news, visible: visible) ?? []
    }

    /// Closes the suggestions once what they would lead to can be seen, unless the person is choosing among them, or has
    /// typed on.
    private mutating func makeRoom() -> [BrowseEffect] {
        guard let results, results.count > 0, suggestions.chosen == nil, query == results.query else { return [] }
        return suggestions.close()
    }

    mutating func moveCursor(ofResults cursor: CardCursor) { results?.cursor = cursor }

    // MARK: Recent searches

    /// What is shown has been of use.
    mutating func rememberResults() -> [BrowseEffect] { remember(results?.query) }

    /// The person was sure of what to search for.
    mutating func rememberQuery() -> [BrowseEffect] { remember(query) }

    private mutating func remember(_ query: SearchQuery?) -> [BrowseEffect] {
        guard let query, recent.add(query.text) else { return [] }
        return [.saveRecentSearches(recent.queries)]
    }

    mutating func rested() -> [BrowseEffect] {
        awaitsRest = false
        // Who has looked at what was found for so long is not looking for names, which are in the way then.
        let closes = suggestions.chosen == nil ? suggestions.close() : []
        return rememberResults() + closes
    }

    mutating func forget(at index: Int) -> [BrowseEffect] {
        recent.remove(at: index)
        return [.saveRecentSearches(recent.queries)]
    }

    // MARK: Timers

    mutating func paused() -> [BrowseEffect] {
        guard awaitsPause else { return [] }
        awaitsPause = false
        return search()
    }

    private mutating func stopWaiting() -> [BrowseEffect] {
        defer { awaitsPause = false }
        return awaitsPause ? [.stopTimer(.typingPause)] : []
    }

    /// What nothing was found for is not worth remembering.
    private mutating func startResting() -> [BrowseEffect] {
        guard let results, results.count > 0 else { return [] }
        awaitsRest = true
        return [.startTimer(.searchRest)]
    }

    private mutating func stopResting() -> [BrowseEffect] {
        defer { awaitsRest = false }
        return awaitsRest ? [.stopTimer(.searchRest)] : []
    }
}

extension Match {
    var next: Match {
        switch self {
        case .prefix: .wordPrefix
        case .wordPrefix: .substring
        case .substring: .fuzzy
        case .fuzzy: .prefix
        }
    }

    /// As it is shown: a name …
    package var words: String {
        switch self {
        case .prefix: "begins with"
        case .wordPrefix: "a word begins with"
        case .substring: "contains"
        case .fuzzy: "is like"
        }
    }

    /// Where there is little room.
    package var shortWords: String {
        switch self {
        case .prefix: "begins"
        case .wordPrefix: "word"
        case .substring: "contains"
        case .fuzzy: "like"
        }
    }
}
