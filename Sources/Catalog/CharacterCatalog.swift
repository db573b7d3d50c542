package import MarvelDomain

/// A source of characters, in memory or behind a gateway. All catalogs behave alike.
package protocol CharacterCatalog: Sendable {
    var kind: CatalogKind { get }

    /// Text to show with the catalog's data.
    var attribution: String { get }

    var matches: [Match] { get }

    /// The number of characters; nil if unknown.
    var characterCount: Int? { get }

    /// The time when the characters were loaded; nil if unknown.
    var loadedAt: Timestamp? { get }

    /// A page of the characters whose names match, in name order. For `fuzzy` the most similar names come first, and
    /// equally similar names are in name order. For `wordPrefix` and `substring` the names that equal the query come
    /// first. A page beyond the end is empty. `offset` is 0 or more, `limit` 1 to 100.
    ///
    /// - Throws: `.matchUnsupported` immediately. The `later` closure throws failures of the source.
    func search(
        _ query: SearchQuery,
        match: Match,
        offset: Int,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage>

    /// Returns a page of the matching characters that starts at the place where an earlier page ended.
    ///
    /// The catalog may have changed since then.
    ///
    /// - Throws: The errors of the search by offset, and `.placeLost` if the catalog changed and no longer has the
    ///   place.
    func search(
        _ query: SearchQuery,
        match: Match,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage>

    /// Returns the character with an id; nil if the catalog does not have it.
    func character(id: Int64) -> Lookup<CatalogEntry?>

    /// Returns the character with an id if the service draws its picture and the catalog is in memory. It decodes only
    /// the name.
    func drawnCharacter(id: Int64) -> DrawnCharacter?

    /// Returns names that complete a text that is being typed.
    ///
    /// - Parameters:
    ///   - query: The text so far, 1 letter or more.
    ///   - limit: The maximum number of names, 1 or more.
    /// - Returns: Names, each once. Names that begin with the query come first, then names with a word that begins with
    ///   it. Each group is sorted by the number of comics, the most first, and then by name. If there are few, similar
    ///   names follow, the most similar first. Each has its match: `.prefix`, `.wordPrefix` or `.fuzzy`, in this order.
    /// - Throws: `.cancelled` if the search runs immediately and the calling task is cancelled.
    func suggestions(for query: SearchQuery, limit: Int) throws(CatalogError) -> Lookup<SuggestedNames>
}

extension CharacterCatalog {
    package var characterCount: Int? { nil }
    package var loadedAt: Timestamp? { nil }
    package func drawnCharacter(id: Int64) -> DrawnCharacter? { nil }

    /// Searches by the place's offset alone, because a gateway accepts only offsets.
    package func search(
        _ query: SearchQuery,
        match: Match,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        try search(query, match: match, offset: place.offset + place.skip, limit: limit)
    }
}

package enum Lookup<Value: Sendable>: Sendable {
    case ready(Value)
    /// The work that produces the answer. It throws a `CatalogError` early if its task is cancelled.
    case later(@Sendable () async throws(CatalogError) -> Value)

    package var value: Value {
        get async throws(CatalogError) {
            switch self {
            case .ready(let value): value
            case .later(let fetch): try await fetch()
            }
        }
    }
}

package enum CatalogError: Error, Sendable, Hashable {
    case matchUnsupported(Match)
    case cancelled
    /// The queue of waiting searches is full.
    case overloaded(maximumSearches: Int)
    /// The caller has its maximum of running and waiting searches.
    case shareSpent(maximumSearches: Int)
    /// The catalog changed, and the results no longer contain the character before the page.
    case placeLost
    /// The call to the gateway failed.
    case upstream(SourceError)
}

package struct CatalogEntry: Sendable {
    package let character: MarvelCharacter
    package let provenance: Provenance
    /// The revision of the operator's last edit of the character; 0 if it was never edited.
    package var editRevision: Int64 = 0

    package init(character: MarvelCharacter, provenance: Provenance) {
        self.character = character
        self.provenance = provenance
    }
}

/// A character whose picture the service draws.
package struct DrawnCharacter: Sendable {
    package let name: String
    package let provenance: Provenance
}

/// A kind of catalog. It is part of page tokens, because only catalogs of one kind order the same names in the same
/// way.
package enum CatalogKind: UInt8, Sendable, Hashable, CaseIterable {
    case builtIn = 1
    case synthetic = 2
    case gateway = 3
    case file = 4
}
