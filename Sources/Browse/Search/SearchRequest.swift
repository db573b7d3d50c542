package import MarvelDomain

/// Tells the searches of one run apart.
package struct SearchID: Sendable, Hashable {
    package private(set) var number: Int

    package init(_ number: Int) { self.number = number }

    /// This one; the one behind it is free then.
    mutating func take() -> SearchID {
        defer { number += 1 }
        return self
    }
}

/// A search as it is sent.
package struct SearchRequest: Sendable, Hashable {
    package var id: SearchID
    package var query: SearchQuery
    package var match: Match
    /// Results to pass over; 0 where a token says where to begin.
    package var skip: Int
    /// 1 to 100.
    package var pageSize: Int
    /// Where an earlier search with the same query ended; empty is the beginning.
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

/// A page of a search.
package struct FoundPage: Sendable, Hashable {
    /// A page may be short, even empty, and more may follow.
    package var characters: [MarvelCharacter]
    /// Which of them are favorites.
    package var favoriteIDs: [Int64]
    /// Characters in the whole result.
    package var total: Int
    /// Empty is the only sign of the last page.
    package var nextPageToken: String
    package var attribution: String
    /// The source cannot be reached, and this is older than it allows.
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
