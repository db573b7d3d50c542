package import MarvelDomain

/// The message `marvel.v1.SearchCharactersRequest`, unchecked: the service validates the values.
package struct SearchCharactersRequest: Sendable, Hashable {
    package var query: String
    package var match: MatchValue
    /// The number of characters in a page; 0 means the default.
    package var pageSize: Int32
    /// The token of the page; empty means the first page.
    package var pageToken: String
    package var skip: Int32
    /// The maximum number of pages; 0 means all.
    package var maxPages: Int32
    /// The name of the list; empty means the default list.
    package var list: String
    /// A place that the favorites must not be older than; empty means none.
    package var favoritesAtLeast: String

    package init(
        query: String,
        match: MatchValue = .prefix,
        pageSize: Int32 = 0,
        pageToken: String = "",
        skip: Int32 = 0,
        maxPages: Int32 = 0,
        list: String = "",
        favoritesAtLeast: String = ""
    ) {
        self.query = query
        self.match = match
        self.pageSize = pageSize
        self.pageToken = pageToken
        self.skip = skip
        self.maxPages = maxPages
        self.list = list
        self.favoritesAtLeast = favoritesAtLeast
    }
}

/// The message `marvel.v1.SearchCharactersResponse`: one page.
package struct SearchCharactersResponse: Sendable, Hashable {
    package var characters: [MarvelCharacter]
    /// The number of characters over all pages.
    package var total: Int32
    /// The token of the next page; empty on the last page.
    package var nextPageToken: String
    /// The ids of those characters that are on the caller's list.
    package var favoriteIDs: [Int64]
    package var attribution: String
    package var freshness: Freshness

    package init(
        characters: [MarvelCharacter] = [],
        total: Int32,
        nextPageToken: String = "",
        favoriteIDs: [Int64] = [],
        attribution: String = "",
        freshness: Freshness = Freshness()
    ) {
        self.characters = characters
        self.total = total
        self.nextPageToken = nextPageToken
        self.favoriteIDs = favoriteIDs
        self.attribution = attribution
        self.freshness = freshness
    }
}
