package import MarvelDomain

/// What the app wants done. Whoever does it tells the app by a `BrowseEvent` what came of it.
package enum BrowseEffect: Sendable, Equatable {
    /// Starts the timer, anew if it is running.
    case startTimer(BrowseTimer)
    case stopTimer(BrowseTimer)

    case loadRecentSearches
    case saveRecentSearches([String])

    /// Starts a search and asks for its first page.
    case startSearch(SearchRequest)
    /// Asks for one more page of a search: grants its credit.
    case nextPage(SearchID)
    case cancelSearch(SearchID)

    /// Asks for names that complete this, in place of those that were asked for before.
    case askSuggestions(typed: String)
    case cancelSuggestions

    /// Follows the list of favorites: connects at once, also where another try would have been later.
    case followFavorites
    /// At most one for each character at any time.
    case toggle(characterID: Int64, desired: Toggle.Desired)

    case loadPicture(PictureKey)
    case cancelPicture(PictureKey)

    case quit
}
