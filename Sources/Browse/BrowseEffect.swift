package import MarvelDomain

package enum BrowseEffect: Sendable, Equatable {
    /// Starts or restarts the timer.
    case startTimer(BrowseTimer)
    case stopTimer(BrowseTimer)

    case loadRecentSearches
    case saveRecentSearches([String])

    case startSearch(SearchRequest)
    /// Requests the next page of a search by granting credit.
    case nextPage(SearchID)
    case cancelSearch(SearchID)

    /// Requests names that complete the typed text. It replaces an earlier request.
    case askSuggestions(typed: String)
    case cancelSuggestions

    /// Follows the list of favorites. It connects immediately, even if the next attempt was scheduled for later.
    case followFavorites
    /// Saves or removes a favorite. At most one request per character is in flight.
    case toggle(characterID: Int64, desired: DesiredFavorite)

    case loadPicture(PictureKey)
    case cancelPicture(PictureKey)

    case quit
}
