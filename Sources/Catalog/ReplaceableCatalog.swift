package import MarvelDomain
internal import Synchronization

/// A catalog in memory in whose place another can be put while it is searched.
///
/// A search that has begun goes on in the catalog that it began with: each page holds the results that the next one is
/// cut from. What comes later, by a page token too, meets the new one.
package final class ReplaceableCatalog: CharacterCatalog {
    package let kind: CatalogKind
    private let current: Mutex<InMemoryCatalog>

    package init(_ catalog: InMemoryCatalog) {
        kind = catalog.kind
        current = Mutex(catalog)
    }

    /// - Parameter catalog: Of the same kind: page tokens depend on it.
    package func replace(with catalog: InMemoryCatalog) {
        precondition(catalog.kind == kind, "a catalog of another kind")
        // The old one may be the last of its kind: its memory is given back outside of the lock.
        let old = current.withLock { current in
            let old = current
            current = catalog
            return old
        }
        _ = consume old
    }

    /// What is served now.
    package var catalog: InMemoryCatalog { current.withLock { $0 } }

    package var attribution: String { catalog.attribution }

    package func search(
        _ query: SearchQuery,
        match: Match,
        offset: Int,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        try catalog.search(query, match: match, offset: offset, limit: limit)
    }

    package func search(
        _ query: SearchQuery,
        match: Match,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        try catalog.search(query, match: match, at: place, limit: limit)
    }

    package func character(id: Int64) -> Lookup<CatalogEntry?> { catalog.character(id: id) }

    package func suggestions(for query: SearchQuery, limit: Int) throws(CatalogError) -> Lookup<[String]> {
        try catalog.suggestions(for: query, limit: limit)
    }
}
