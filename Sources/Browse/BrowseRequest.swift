package import MarvelDomain

/// What a person can want of the app where there are no keys: each names what it is about.
package enum BrowseRequest: Sendable, Equatable {
    case search(String)
    /// From now on names are compared that way, those of the last search too.
    case compare(Match)
    /// Brings places of the results on the screen, and with that what is there.
    case show(Range<Int>)
    case favorite(MarvelCharacter, Bool)
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
            return effects + toggles.wish(character, isFavorite: isFavorite)
        case .retry: return effects + retry()
        case .quit: return effects + quit()
        }
    }
}
