internal import MarvelDomain

/// The recent searches, newest first, without duplicates.
package struct RecentSearches: Sendable, Equatable {
    package static let limit = 20

    package private(set) var queries: [String] = []
    package private(set) var isLoaded = false
    package internal(set) var cursor = CardCursor()

    package init(_ queries: [String] = []) {
        for query in queries.reversed() { _ = add(query) }
    }

    /// Adds a search as the newest one. Returns false if it is already the newest.
    mutating func add(_ query: String) -> Bool {
        guard queries.first != query else { return false }
        let form = query.lowercased()
        queries.removeAll { $0.lowercased() == form }
        queries.insert(query, at: 0)
        queries.removeLast(max(queries.count - RecentSearches.limit, 0))
        cursor = CardCursor()
        return true
    }

    /// Appends the saved searches after those of this run. It skips invalid queries.
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
