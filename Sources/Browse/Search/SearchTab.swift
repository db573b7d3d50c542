package import MarvelDomain

package struct SearchTab: Sendable, Equatable {
    package enum Focus: Sendable, Equatable {
        case field
        case cards
    }

    package internal(set) var field = QueryField()
    package internal(set) var focus = Focus.field
    package internal(set) var suggestions = Suggestions()
    package private(set) var match = Match.prefix
    package private(set) var results: Results?
    var resultsCursor = CardCursor()
    /// The previous results stay on the screen until its first page or failure arrives.
    package private(set) var pendingResults: Results?
    private var nextID = SearchID(1)
    private var awaitsPause = false

    package init() {}

    package var query: SearchQuery? { try? SearchQuery(field.text) }
    package var isLoading: Bool { pendingResults != nil || results?.isLoading == true }
    package var failure: FailureNotice? { results?.failure }

    // MARK: Searching

    mutating func typed() -> [BrowseEffect] {
        let areResultsHere = query.map { pendingResults == nil && isSearched($0) } ?? false
        let effects = (areResultsHere ? suggestions.close() : suggestions.typed(field.text))
        guard let query else { return effects + stopWaiting() + clear() }
        guard !isSearched(query) else { return effects + stopWaiting() }
        awaitsPause = true
        return effects + [.startTimer(.typingPause)]
    }

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

    mutating func changeMatch() -> [BrowseEffect] {
        match = match.next
        return query == nil ? [] : search()
    }

    mutating func retry() { results?.retry() }

    private func isSearched(_ query: SearchQuery) -> Bool {
        guard let last = pendingResults ?? results else { return false }
        return last.query == query && last.match == match
    }

    private mutating func search(_ query: SearchQuery) -> [BrowseEffect] {
        let cancels = cancel()
        pendingResults = Results(query, match: match)
        return cancels
    }

    mutating func cancel() -> [BrowseEffect] {
        (pendingResults?.cancel() ?? []) + (results?.cancel() ?? [])
    }

    private mutating func clear() -> [BrowseEffect] {
        let cancels = cancel()
        pendingResults = nil
        results = nil
        return cancels
    }

    // MARK: Pages

    mutating func ask(for visible: Range<Int>, pageSize: Int) -> [BrowseEffect] {
        guard pendingResults == nil else {
            return pendingResults?.ask(for: 0..<0, pageSize: pageSize, ids: &nextID) ?? []
        }
        return results?.ask(for: visible, pageSize: pageSize, ids: &nextID) ?? []
    }

    mutating func received(_ event: SearchEvent, of id: SearchID, visible: Range<Int>) -> [BrowseEffect] {
        if pendingResults?.stream?.id == id {
            results = pendingResults
            pendingResults = nil
            resultsCursor = CardCursor()
            return (results?.received(event, visible: 0..<0) ?? []) + makeRoom()
        }
        guard results?.stream?.id == id else { return [] }
        return results?.received(event, visible: visible) ?? []
    }

    private mutating func makeRoom() -> [BrowseEffect] {
        guard let results, results.count > 0, suggestions.chosen == nil, query == results.query else { return [] }
        return suggestions.close()
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

    /// The verb of "a name … query".
    package var words: String {
        switch self {
        case .prefix: "begins with"
        case .wordPrefix: "a word begins with"
        case .substring: "contains"
        case .fuzzy: "is similar to"
        }
    }

    package var shortWords: String {
        switch self {
        case .prefix: "begins"
        case .wordPrefix: "word"
        case .substring: "contains"
        case .fuzzy: "like"
        }
    }
}

package struct Suggestions: Sendable, Equatable {
    /// Nil while suggestions are closed.
    private(set) var typed: String?
    /// In the server's order. Names for an earlier text stay until the next answer.
    package private(set) var names: [String] = []
    package private(set) var chosen: Int?

    package var isOpen: Bool { !names.isEmpty }
    package var chosenName: String? { chosen.map { names[$0] } }

    mutating func typed(_ text: String) -> [BrowseEffect] {
        guard let query = try? SearchQuery(typed: text) else { return close() }
        chosen = nil
        guard query.text != typed else { return [] }
        typed = query.text
        return [.askSuggestions(typed: query.text)]
    }

    mutating func received(_ suggestions: [NameSuggestion], typed: String) {
        guard typed == self.typed else { return }
        names = suggestions.map(\.name)
        chosen = nil
    }

    mutating func close() -> [BrowseEffect] {
        let wasOpen = typed != nil
        self = Suggestions()
        return wasOpen ? [.cancelSuggestions] : []
    }

    mutating func chooseNext() { chosen = chosen.map { min($0 + 1, names.count - 1) } ?? 0 }

    /// Limits the choice to the first `count` names, which are on the screen.
    mutating func keepChosen(within count: Int) { chosen = chosen.flatMap { count > 0 ? min($0, count - 1) : nil } }

    mutating func choosePrevious() { chosen = chosen.flatMap { $0 > 0 ? $0 - 1 : nil } }
}
