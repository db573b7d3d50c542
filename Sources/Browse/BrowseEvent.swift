package import MarvelClient
package import MarvelDomain
package import TerminalUI

package enum BrowseEvent: Sendable, Equatable {
    case terminal(TerminalEvent)
    case quit
    /// A timer has fired without a restart or stop.
    case timerFired(BrowseTimer)
    case recentSearchesLoaded([String])
    case search(SearchID, SearchEvent)
    /// Names for the text of the request.
    case suggestions(typed: String, [NameSuggestion])
    case favorites(FavoritesState)
    case toggleAnswered(characterID: Int64, ToggleResult)
    /// The change failed. It may have been made only if `FailureNotice.mayHaveHappened` is set.
    case toggleRefused(characterID: Int64, FailureNotice)
    case picture(PictureKey, Pictures.State)
}

package enum SearchEvent: Sendable, Equatable {
    case page(SearchPage)
    /// The stream ended. If the last page has a next page token, the server ended an idle stream, and the search can
    /// resume.
    case ended
    case failed(FailureNotice)
}

package enum BrowseTimer: Sendable, Hashable, CaseIterable {
    /// After this pause in typing the search starts.
    case typingPause
    /// After this time on the screen a search is added to the recent searches.
    case searchRest
    case spinner
    case message
    /// One second of the countdown to the next connection attempt.
    case countdown

    package var duration: Duration {
        switch self {
        case .typingPause: .milliseconds(300)
        case .searchRest: .seconds(2)
        case .spinner: .milliseconds(100)
        case .message: .seconds(4)
        case .countdown: .seconds(1)
        }
    }
}
