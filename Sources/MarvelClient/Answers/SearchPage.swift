public import MarvelDomain
internal import WireMessages

public struct SearchPage: Sendable, Hashable {
    /// The characters in name order. A page may be short or even empty, although more pages follow.
    public var characters: [MarvelCharacter]
    /// The ids of the characters on the caller's list.
    public var favoriteIDs: [Int64]
    /// The number of characters over all pages.
    public var total: Int
    /// The page token of the next page, valid for at least 3 days. It is empty only on the last page; nothing else
    /// marks the end.
    public var nextPageToken: String
    /// Attribution text to show with the data.
    public var attribution: String
    public var freshness: DataFreshness

    public init(
        characters: [MarvelCharacter],
        favoriteIDs: [Int64] = [],
        total: Int,
        nextPageToken: String = "",
        attribution: String = "",
        freshness: DataFreshness = DataFreshness()
    ) {
        self.characters = characters
        self.favoriteIDs = favoriteIDs
        self.total = total
        self.nextPageToken = nextPageToken
        self.attribution = attribution
        self.freshness = freshness
    }

    /// Whether a character of this page is on the caller's list.
    public func isFavorite(_ character: MarvelCharacter) -> Bool {
        favoriteIDs.contains(character.id)
    }
}

extension SearchPage {
    init(_ response: SearchCharactersResponse) {
        self.init(
            characters: response.characters,
            favoriteIDs: response.favoriteIDs,
            total: Int(response.total),
            nextPageToken: response.nextPageToken,
            attribution: response.attribution,
            freshness: DataFreshness(response.freshness)
        )
    }
}

/// Names for the text that a person is typing.
public struct NameSuggestions: Sendable, Hashable {
    /// The suggestions, each name once. Completions of the typed text come before similar names.
    public var suggestions: [NameSuggestion]
    /// Attribution text to show with the data.
    public var attribution: String

    public var names: [String] { suggestions.map(\.name) }
}

extension NameSuggestions {
    /// Uses the matches only if there is one for each name: an older server sends none.
    init(_ response: SuggestNamesResponse) {
        let areMatchesTold = response.matches.count == response.names.count
        let matches = areMatchesTold ? response.matches.map(\.match) : response.names.map { _ in nil }
        self.init(
            suggestions: zip(response.names, matches).map { NameSuggestion($0, match: $1) },
            attribution: response.attribution
        )
    }
}
