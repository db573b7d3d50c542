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
    package var skip = 0
    /// The number of results in a page, 1 to 100.
    package var pageSize: Int
    /// The page token of an earlier search with the same query, from which the search resumes; empty to begin at the
    /// first result.
    package var pageToken = ""
}
