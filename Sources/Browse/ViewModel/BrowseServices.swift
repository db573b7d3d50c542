package import MarvelDomain
package import TerminalUI

/// What the app needs of the world: the service, and where recent searches are kept.
///
/// Whatever is asked for is cancelled with the task that asks. What fails tells so in words for a person.
package protocol BrowseServices: Sendable {
    /// The pages of a search, each asked for when `next` is called and not before: that is what grants its credit.
    ///
    /// They may end behind a page that names a next one, where the server did not wait longer for its reader.
    func search(_ request: SearchRequest) -> any AsyncSequence<FoundPage, Trouble>

    /// Names that complete what is being typed, best first, then names that are only like it.
    func suggestions(typed: String) async throws(Trouble) -> [NameSuggestion]

    /// The list of favorites and what becomes of it. The server is tried at once, and again after every break; a wait
    /// for the next try is told from when the state is given.
    func liveFavorites() -> any AsyncSequence<FavoritesState, Never>

    /// Saves or removes. Whoever sends a request again does so under the same id.
    func toggle(_ characterID: Int64, _ desired: Toggle.Desired) async throws(Trouble) -> ToggleResult

    /// Nil if the character has none.
    func picture(_ key: PictureKey) async throws(Trouble) -> PixelImage?

    /// Newest first; empty if they cannot be read.
    func loadRecentSearches() async -> [String]

    func saveRecentSearches(_ queries: [String]) async
}
