package import MarvelDomain
package import TerminalUI

/// What can happen to the app.
package enum BrowseEvent: Sendable, Equatable {
    case terminal(TerminalEvent)
    /// The person has said what to do, without a key.
    case requested(BrowseRequest)
    /// A timer that was started, and neither started again nor stopped since, has run out.
    case timerFired(BrowseTimer)
    /// The searches of earlier days, newest first.
    case recentSearchesLoaded([String])
    case search(SearchID, SearchNews)
    /// Names for what had been typed when they were asked for.
    case suggestions(typed: String, [NameSuggestion])
    case favorites(FavoritesState)
    case toggleAnswered(characterID: Int64, ToggleResult)
    /// Nothing was changed, or nobody knows.
    case toggleRefused(characterID: Int64, Trouble)
    case picture(PictureKey, PictureAnswer)
}

/// What comes of a search.
package enum SearchNews: Sendable, Equatable {
    /// The page that was asked for.
    case page(FoundPage)
    /// No page comes any more. If the last one names a next one, the server only would not wait longer for its reader,
    /// and the search can go on from there.
    case ended
    case failed(Trouble)
}

/// What comes of asking for a picture.
package enum PictureAnswer: Sendable, Equatable {
    case image(PixelImage)
    /// The character has none.
    case none
    case failed
}

/// What the app waits for.
package enum BrowseTimer: Sendable, Hashable, CaseIterable {
    /// Typing has paused: search.
    case typingPause
    /// A search has been looked at for so long that it is worth remembering.
    case searchRest
    /// A page has been awaited for so long that the person may want to ask anew.
    case longWait
    /// The next picture of the sign that something is under way.
    case spinner
    /// News have been there long enough.
    case message
    /// A second less to the next try to reach the server.
    case countdown

    package var duration: Duration {
        switch self {
        case .typingPause: .milliseconds(300)
        case .searchRest: .seconds(2)
        case .longWait: .seconds(5)
        case .spinner: .milliseconds(100)
        case .message: .seconds(4)
        case .countdown: .seconds(1)
        }
    }
}
