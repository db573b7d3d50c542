package import MarvelDomain

/// Unique within one run of the app.
package struct SearchID: Sendable, Hashable {
    package private(set) var number: Int

    package init(_ number: Int) { self.number = number }

    /// Returns this id, and advances to the next free one.
    mutating func take() -> SearchID {
        defer { number += 1 }
        return self
    }
}

package struct SearchRequest: Sendable, Hashable {
    package var id: SearchID
    package var query: SearchQuery
    package var match: Match
    /// 0 with a page token.
    package var skip = 0
    /// 1 to 100.
    package var pageSize: Int
    /// The page token to resume from; empty to begin at the first result.
    package var pageToken = ""
}
