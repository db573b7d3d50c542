package import MarvelDomain

/// A hash of one search: a query, a way to compare names, and a kind of catalog. A page token is valid for it only.
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
    /// The number of the case within the fingerprint. Clients keep tokens, so that a number must never change.
    fileprivate var tokenNumber: UInt8 {
        switch self {
        case .prefix: 0
        case .wordPrefix: 1
        case .substring: 2
        case .fuzzy: 3
        }
    }
}
