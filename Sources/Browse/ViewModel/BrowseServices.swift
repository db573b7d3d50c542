package import MarvelClient
package import MarvelDomain
package import RPCCore
package import TerminalUI

/// The external services of the app: the server, and the storage of recent searches.
///
/// A request is cancelled together with the task that awaits it.
package protocol BrowseServices: Sendable {
    /// Returns the pages of a search. Each call of `next` grants the credit for one page.
    ///
    /// The sequence may end after a page with a next page token, if the server ended the idle stream.
    func search(_ request: SearchRequest) -> any AsyncSequence<SearchPage, RPCError>

    /// Returns completions of the typed text, then similar names.
    func suggestions(typed: String) async throws(RPCError) -> [NameSuggestion]

    /// Returns the list of favorites and its changes. It connects immediately, and again after every loss of the
    /// connection.
    func liveFavorites() -> any AsyncSequence<LiveFavorites.State, Never>

    /// Saves or removes a favorite. An implementation that retries uses the same request id.
    func toggle(_ characterID: Int64, _ desired: DesiredFavorite) async throws(RPCError) -> ToggleResult

    /// Loads a picture; nil if the character has none.
    func picture(_ key: PictureKey) async throws -> PixelImage?

    func loadRecentSearches() async -> [String]

    func saveRecentSearches(_ queries: [String]) async

    /// Describes a failed call in words for the user.
    func notice(_ error: RPCError) -> FailureNotice
}
