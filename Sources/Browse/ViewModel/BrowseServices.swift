package import MarvelClient
package import MarvelDomain
package import RPCCore
package import TerminalUI

/// The external services of the app: the server, and the storage of recent searches.
///
/// A request is cancelled together with the task that awaits it.
package protocol BrowseServices: Sendable {
    /// Returns the pages of a search. A page is requested when `next` is called and not before: the call grants the
    /// credit for it.
    ///
    /// The sequence may end after a page that has a next page token, if the server has ended the idle stream.
    func search(_ request: SearchRequest) -> any AsyncSequence<SearchPage, RPCError>

    /// Returns names that complete the typed text, best first, then similar names.
    func suggestions(typed: String) async throws(RPCError) -> [NameSuggestion]

    /// Returns the list of favorites and its changes. The server is connected immediately, and again after every loss of
    /// the connection.
    func liveFavorites() -> any AsyncSequence<LiveFavorites.State, Never>

    /// Saves or removes a favorite. An implementation that retries uses the same request id.
    func toggle(_ characterID: Int64, _ desired: DesiredFavorite) async throws(RPCError) -> ToggleResult

    /// Loads a picture; nil if the character has none.
    func picture(_ key: PictureKey) async throws -> PixelImage?

    /// Loads the recent searches, newest first; empty if they cannot be read.
    func loadRecentSearches() async -> [String]

    func saveRecentSearches(_ queries: [String]) async

    /// Returns a failed call in words for the user.
    func notice(_ error: RPCError) -> FailureNotice
}
