package import MarvelDomain

/// What a page token is good for: one query, compared in one way, in one kind of catalog.
package struct SearchFingerprint: Sendable, Hashable {
    let value: UInt64

    package init(query: SearchQuery, match: Match, catalog: CatalogKind) {
        var hash = FNV1a()
        hash.combine(catalog.rawValue)
        hash.combine(match.tokenNumber)
        hash.combine(query.text.utf8)
        self.value = hash.value
    }

    init(value: UInt64) { self.value = value }
}

extension Match {
    /// Part of every token that clients hold: a number never changes its meaning.
    fileprivate var tokenNumber: UInt8 {
        switch self {
        case .prefix: 0
        case .wordPrefix: 1
        case .substring: 2
        case .fuzzy: 3
        }
    }
}
