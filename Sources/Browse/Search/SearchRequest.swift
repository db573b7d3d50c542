package import MarvelDomain

/// The id of a search, unique within one run of the app.
package struct SearchID: Sendable, Hashable {
    package private(set) var number: Int

    package init(_ number: Int) { self.number = number }

    /// Returns this id, and advances to the next free one.
    mutating func take() -> SearchID {
        defer { number += 1 }
        return self
    }
}

/// A search request as it is sent to the server.
package struct SearchRequest: Sendable, Hashable {
    package var id: SearchID
    package var query: SearchQuery
    package var match: Match
    /// The number of results to skip; 0 if there is a page token.
    package var skip: Int
    /// The number of results in a page, 1 to 100.
    package var pageSize: Int
    /// The page token of an earlier search with the same query, from which the search resumes; empty to begin at the
    /// first result.
    package var pageToken: String

    package init(
        id: SearchID,
        query: SearchQuery,
        match: Match = .prefix,
        skip: Int = 0,
        pageSize: Int,
        pageToken: String = ""
    ) {
        self.id = id
        self.query = query
        self.match = match
        self.skip = skip
        self.pageSize = pageSize
        self.pageToken = pageToken
    }
}

/// A page of search results.
package struct FoundPage: Sendable, Hashable {
    /// The characters of the page. A page may be short or empty although more pages follow.
    package var characters: [MarvelCharacter]
    /// The ids of the characters that are favorites.
    package var favoriteIDs: [Int64]
    /// The number of characters in the whole result.
    package var total: Int
    /// The token of the next page. Only the last page has an empty token.
    package var nextPageToken: String
    package var attribution: String
    /// Whether the data is stale: the source is unreachable, and the data is older than the source allows.
    package var isStale: Bool

    package init(
        characters: [MarvelCharacter],
        favoriteIDs: [Int64] = [],
        total: Int,
        nextPageToken: String = "",
        attribution: String = "",
        isStale: Bool = false
    ) {
        self.characters = characters
        self.favoriteIDs = favoriteIDs
        self.total = total
        self.nextPageToken = nextPageToken
        self.attribution = attribution
        self.isStale = isStale
    }
}
