internal import MarvelDomain

/// What was searched for before, newest first, each once.
package struct RecentSearches: Sendable, Equatable {
    package static let limit = 20

    package private(set) var queries: [String] = []
    /// Those of earlier days are here.
    package private(set) var isLoaded = false
    package internal(set) var cursor = CardCursor()

    package init(_ queries: [String] = []) {
        for query in queries.reversed() { _ = add(query) }
    }

    /// - Returns: Whether it was not the newest already.
    mutating func add(_ query: String) -> Bool {
        guard queries.first != query else { return false }
        let form = query.lowercased()
        queries.removeAll { $0.lowercased() == form }
        queries.insert(query, at: 0)
        queries.removeLast(max(queries.count - RecentSearches.limit, 0))
        cursor = CardCursor()
        return true
    }

    /// Those of earlier days come behind what was searched for before they were read. What is no search is left out.
    mutating func load(_ earlier: [String]) {
        let cursor = cursor
        self = RecentSearches(queries + earlier.compactMap { try? SearchQuery($0).text })
        self.cursor = cursor
        isLoaded = true
    }

    mutating func remove(at index: Int) {
        guard queries.indices.contains(index) else { return }
        queries.remove(at: index)
    }
}
