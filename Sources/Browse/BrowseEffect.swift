package import MarvelDomain

/// A side effect that the app requests. Its result is reported to the app as a `BrowseEvent`.
package enum BrowseEffect: Sendable, Equatable {
    /// Starts the timer; restarts it if it is running.
    case startTimer(BrowseTimer)
    case stopTimer(BrowseTimer)

    case loadRecentSearches
    case saveRecentSearches([String])

    /// Starts a search and requests its first page.
    case startSearch(SearchRequest)
    /// Requests the next page of a search by granting credit for it.
    case nextPage(SearchID)
    case cancelSearch(SearchID)

    /// Requests names that complete the typed text. It replaces an earlier request.
    case askSuggestions(typed: String)
    case cancelSuggestions

    /// Follows the list of favorites: connects immediately, also if the next attempt was scheduled for later.
    case followFavorites
    /// Saves or removes a favorite. At most one request per character is in flight.
    case toggle(characterID: Int64, desired: DesiredFavorite)

    case loadPicture(PictureKey)
    case cancelPicture(PictureKey)

    case quit
}
