package import MarvelClient
package import MarvelDomain
package import TerminalUI

package enum BrowseEvent: Sendable, Equatable {
    case terminal(TerminalEvent)
    case quit
    case timerFired(BrowseTimer)
    case search(SearchID, SearchEvent)
    case suggestions(typed: String, [NameSuggestion])
    case favorites(FavoritesState)
    case toggleAnswered(characterID: Int64, ToggleResult)
    /// The change failed. It may have been made only if `FailureNotice.mayHaveHappened` is set.
    case toggleRefused(characterID: Int64, FailureNotice)
    case picture(PictureKey, Pictures.State)
}

extension BrowseEvent {
    /// The event with its texts from the server cut, so that a faulty server cannot slow down the drawing.
    var withinLimits: BrowseEvent {
        switch self {
        case .search(let id, .page(var page)):
            page.characters = page.characters.map(\.withinLimits)
            page.attribution = page.attribution.cut(to: CharacterLimits.attributionBytes)
            return .search(id, .page(page))
        case .suggestions(let typed, let suggestions):
            let names = suggestions.prefix(BrowseLayout.suggestionLimit).map { suggestion in
                NameSuggestion(suggestion.name.cut(to: CharacterLimits.nameBytes), match: suggestion.match)
            }
            return .suggestions(typed: typed, names)
        case .favorites(var state):
            let favorites = state.list?.favorites.map(\.withinLimits)
            state.list?.favorites = favorites ?? []
            state.attribution = state.attribution.cut(to: CharacterLimits.attributionBytes)
            return .favorites(state)
        case .toggleAnswered(let id, var answer):
            answer.evicted = answer.evicted.map(\.withinLimits)
            return .toggleAnswered(characterID: id, answer)
        default: return self
        }
    }
}

extension Favorite {
    fileprivate var withinLimits: Favorite { Favorite(character: character.withinLimits, savedAt: savedAt) }
}

package enum SearchEvent: Sendable, Equatable {
    case page(SearchPage)
    /// If the last page has a next page token, the server ended an idle stream, and the search can resume.
    case ended
    case failed(FailureNotice)
}

package enum BrowseTimer: Sendable, Hashable, CaseIterable {
    case typingPause
    case spinner
    case message
    case countdown

    package var duration: Duration {
        switch self {
        case .typingPause: .milliseconds(300)
        case .spinner: .milliseconds(100)
        case .message: .seconds(4)
        case .countdown: .seconds(1)
        }
    }
}

package enum BrowseEffect: Sendable, Equatable {
    case startTimer(BrowseTimer)
    case stopTimer(BrowseTimer)

    case startSearch(SearchRequest)
    /// Requests the next page of a search by granting credit.
    case nextPage(SearchID)
    case cancelSearch(SearchID)

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

package struct SearchID: Sendable, Hashable {
    package private(set) var number: Int

    package init(_ number: Int) { self.number = number }

    mutating func take() -> SearchID {
        defer { number += 1 }
        return self
    }
}

package struct SearchRequest: Sendable, Hashable {
    package var id: SearchID
    package var query: SearchQuery
    package var match: Match
    /// 0 with a page token.
    package var skip = 0
    /// 1 to 100.
    package var pageSize: Int
    /// Empty to begin at the first result.
    package var pageToken = ""
}
