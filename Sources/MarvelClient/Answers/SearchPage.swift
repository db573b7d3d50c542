public import MarvelDomain
internal import WireMessages

/// One page of a search.
public struct SearchPage: Sendable, Hashable {
    /// In name order. A page may be short, even empty, and more may follow.
    public var characters: [MarvelCharacter]
    /// Which of the characters are on the caller's list.
    public var favoriteIDs: [Int64]
    /// Characters in the whole result, over all pages.
    public var total: Int
    /// Where the results go on. Empty is the only sign of their end. Good for 3 days or more.
    public var nextPageToken: String
    /// The line that must be shown with the data.
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
