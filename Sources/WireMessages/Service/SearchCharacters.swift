package import MarvelDomain

/// `marvel.v1.SearchCharactersRequest`, as it came: the service judges the values.
package struct SearchCharactersRequest: Sendable, Hashable {
    package var query: String
    package var match: MatchValue
    /// 0: the default.
    package var pageSize: Int32
    /// Empty: from the start.
    package var pageToken: String
    package var skip: Int32
    /// 0: until the results end.
    package var maxPages: Int32
    /// Empty: the default list.
    package var list: String
    /// A place that the favorites must not be older than; empty: none.
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

/// `marvel.v1.SearchCharactersResponse`: one page.
package struct SearchCharactersResponse: Sendable, Hashable {
    package var characters: [MarvelCharacter]
    /// Characters over all pages.
    package var total: Int32
    /// Empty: the results end here.
    package var nextPageToken: String
    /// Which of the characters are on the caller's list.
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
