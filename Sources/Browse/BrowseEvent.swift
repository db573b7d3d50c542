package import MarvelClient
package import MarvelDomain
package import TerminalUI

/// An event that the app handles.
package enum BrowseEvent: Sendable, Equatable {
    case terminal(TerminalEvent)
    /// The program ends.
    case quit
    /// A timer has fired. It was neither restarted nor stopped since its start.
    case timerFired(BrowseTimer)
    /// The searches of earlier runs, newest first.
    case recentSearchesLoaded([String])
    case search(SearchID, SearchEvent)
    /// Names for the text that had been typed at the time of the request.
    case suggestions(typed: String, [NameSuggestion])
    case favorites(FavoritesState)
    case toggleAnswered(characterID: Int64, ToggleResult)
    /// The change failed. It may have been made only if `FailureNotice.mayHaveHappened` is set.
    case toggleRefused(characterID: Int64, FailureNotice)
    /// The result of loading a picture.
    case picture(PictureKey, Pictures.State)
}

/// An event of a search stream.
package enum SearchEvent: Sendable, Equatable {
    /// The requested page.
    case page(SearchPage)
    /// The stream has ended. If the last page has a next page token, the server has ended an idle stream, and the search
    /// can resume from that token.
    case ended
    case failed(FailureNotice)
}

/// A timer of the app.
package enum BrowseTimer: Sendable, Hashable, CaseIterable {
    /// The pause in typing after which the search starts.
    case typingPause
    /// The time on the screen after which a search is added to the recent searches.
    case searchRest
    /// The time until the next frame of the spinner.
    case spinner
    /// The time after which an `info` message is hidden.
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
