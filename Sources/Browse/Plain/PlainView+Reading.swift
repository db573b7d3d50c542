internal import MarvelDomain

extension PlainView {
    /// Reads out the awaited answer once it is available, or the reason why it is not.
    mutating func readAwaitedAnswer() -> [String] {
        guard let awaited, awaited.isSent, !awaited.hasFailed || !isFailing else { return [] }
        switch awaited.answer {
        case .reading(.results, let place): return readResults(from: place)
        case .reading(.favorites, let place): return readFavorites(from: place)
        case .reading(.recentSearches, let place): return readRecentSearches(from: place)
        case .connection: return tellConnection()
        case .about: return readAbout()
        }
    }

    /// Announces once that a search is in progress, if it takes longer than a second.
    mutating func progress() -> [String] {
        guard isWaiting, let spinner = model.spinner else {
            awaited?.begin = 0
            return []
        }
        // A frame of the spinner takes a tenth of a second.
        guard let awaited, case .reading(.results, _) = awaited.answer, !awaited.isProgressAnnounced,
            spinner >= awaited.begin + 10
        else { return [] }
        self.awaited?.isProgressAnnounced = true
        return ["Searching…"]
    }

    /// Whether the failure that prevented the awaited answer persists.
    private var isFailing: Bool {
        switch awaited?.answer {
        case .reading(.results, _): model.search.failure != nil
        case .reading(.favorites, _): model.favorites.list == nil
        case .reading(.recentSearches, _), .connection, .about, nil: false
        }
    }

    // MARK: Lists

    private mutating func readResults(from place: Int) -> [String] {
        guard model.search.pendingResults == nil, let results = model.search.results else { return [] }
        if let total = results.total {
            let places = PlainView.places(from: place, of: total)
            let characters = places.compactMap { results.rows[$0] }
            if characters.count == places.count { return read(characters, of: results, at: places) }
        }
        return results.failure.map { fail($0) } ?? []
    }

    private mutating func read(_ characters: [MarvelCharacter], of results: Results, at places: Range<Int>) -> [String]
    {
        if model.favorites.isLive { announced.isLost = false }
        placeInResults = places.lowerBound
        let isAnew = reading.map { !$0.isOfSameList(as: PlainReading(.results, of: results)) } ?? true
        remember(PlainReading(.results, of: results), characters.map { .character($0) }, at: places, of: results.count)
        guard results.count > 0 else { return PlainWords.nothing(results) }
        let isFirst = isAnew || places.lowerBound == 0
        let items = zip(places, characters).map { place, character in
            "\(place + 1): \(character.shownName)\(model.isFavorite(character.id) ? ", favorite" : "")."
        }
        return [PlainWords.title(of: results, at: places, isFirst: isFirst)] + items
            + staleness(of: results) + attribution(results.attribution, of: .results)
    }

    private mutating func readFavorites(from place: Int) -> [String] {
        guard let list = model.favorites.list else {
            guard model.favorites.connection.failure != nil else { return [] }
            awaited?.hasFailed = true
            return ["The favorites are not known before the server is there."]
        }
        let places = PlainView.places(from: place, of: list.favorites.count)
        let characters = list.favorites[places].map(\.character)
        remember(PlainReading(.favorites), characters.map { .character($0) }, at: places, of: list.favorites.count)
        let items = zip(places, characters).map { "\($0 + 1): \($1.shownName)." }
        let isOld = model.favorites.connection.failure != nil
        return [PlainWords.title(of: list, at: places)] + items
            + (isOld ? ["The list may have changed since the connection was lost."] : [])
            + (items.isEmpty ? [] : attribution(model.favorites.attribution, of: .favorites))
    }

    private mutating func readRecentSearches(from place: Int) -> [String] {
        let recent = model.search.recent
        guard recent.isLoaded else { return [] }
        let places = PlainView.places(from: place, of: recent.queries.count)
        let queries = recent.queries[places]
        let reading = PlainReading(.recentSearches)
        remember(reading, queries.map { .search($0) }, at: places, of: recent.queries.count)
        guard !queries.isEmpty else { return ["No searches yet."] }
        return ["Recent searches, newest first; a number runs one."]
            + zip(places, queries).map { "\($0 + 1): \($1)." }
    }

    private static func places(from place: Int, of total: Int) -> Range<Int> {
        let start = min(place, total)
        return start..<min(start + PlainReading.pageSize, total)
    }

    private mutating func remember(
        _ reading: PlainReading,
        _ entries: [PlainReading.Entry],
        at places: Range<Int>,
        of total: Int
    ) {
        awaited = nil
        if self.reading?.isOfSameList(as: reading) != true { self.reading = reading }
        self.reading?.read(entries, at: places, of: total)
    }

    // MARK: Additions

    private mutating func staleness(of results: Results) -> [String] {
        guard results.isStale else {
            announced.stale = nil
            return []
        }
        guard announced.stale != results.query else { return [] }
        announced.stale = results.query
        return ["This data may be outdated: the source is unreachable."]
    }

    private mutating func attribution(_ line: String, of list: CardList) -> [String] {
        guard !line.isEmpty, announced.attributions.updateValue(line, forKey: list) != line else { return [] }
        return [line]
    }

    private mutating func fail(_ failure: FailureNotice) -> [String] {
        awaited?.hasFailed = true
        guard failure.isConnectionLost else { return [PlainWords.sentence(for: failure)] }
        defer { announced.isLost = true }
        return announced.isLost
            ? ["The search goes on when the server is back; type retry to try at once."]
            : [PlainWords.sentence(for: failure)]
    }

    private mutating func readAbout() -> [String] {
        guard !model.about.isAwaited else { return [] }
        awaited = nil
        if let failure = model.about.failure { return [failure.text] }
        return model.about.info?.facts(in: model.timeZone).map { "\($0.name): \($0.value)" } ?? []
    }

    private mutating func tellConnection() -> [String] {
        switch model.favorites.connection {
        case .connecting: return []
        case .lost(let failure, _):
            awaited = nil
            return ["Still no connection: \(failure.whatHappened)"]
        case .live, .ended:
            // `connectionAnnouncements` announces these.
            awaited = nil
            return []
        }
    }
}
