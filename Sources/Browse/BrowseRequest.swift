package import MarvelDomain

/// A request of the user in a mode without keys. It contains its own arguments instead of using the selection.
package enum BrowseRequest: Sendable, Equatable {
    case search(String)
    /// Sets how names are compared, and repeats the last search with it.
    case compare(Match)
    /// Scrolls the results to a range of places, so that their rows are loaded.
    case show(Range<Int>)
    case favorite(MarvelCharacter, Bool)
    case about
    case retry
    case quit
}

extension BrowseModel {
    mutating func handle(_ request: BrowseRequest) -> [BrowseEffect] {
        let effects = hideMessage()
        switch request {
        case .search(let text):
            tab = .search
            return effects + take(text)
        case .compare(let match): return effects + search.compare(match)
        case .show(let places):
            guard list == .results, let last = places.last else { return effects }
            moveCursor { $0.select(places.lowerBound, in: $1, count: $2) }
            moveCursor { $0.select(last, in: $1, count: $2) }
            return effects
        case .favorite(let character, let isFavorite):
            return effects + toggles.request(character, isFavorite: isFavorite)
        case .about: return effects + about.ask()
        case .retry: return effects + retry()
        case .quit: return effects + quit()
        }
    }
}
