package import MarvelDomain

package protocol CharacterCatalog: Sendable {
    var kind: CatalogKind { get }

    var attribution: String { get }

    var matches: [Match] { get }

    /// Nil if unknown.
    var characterCount: Int? { get }

    /// Nil if unknown.
    var loadedAt: Timestamp? { get }

    /// A page of the characters whose names match, in name order. For `fuzzy` the most similar names come first, and
    /// equally similar names are in name order. For `wordPrefix` and `substring` the names that equal the query come
    /// first. A page beyond the end is empty.
    ///
    /// - Parameters:
    ///   - query: The text.
    ///   - match: The way to compare names.
    ///   - place: The start of the page. The catalog may have changed since the place was noted. A gateway uses only its
    ///     offset.
    ///   - limit: The maximum number of characters, 1 to 100.
    /// - Returns: The page.
    /// - Throws: `.matchUnsupported` immediately, and `.placeLost` if the catalog changed and no longer has the place.
    ///   The `later` closure throws failures of the source.
    func search(
        _ query: SearchQuery,
        match: Match,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage>

    func character(id: Int64) -> Lookup<CatalogEntry?>

    /// Nil unless the service draws the picture and the catalog is in memory. It decodes only the name.
    func drawnCharacter(id: Int64) -> DrawnCharacter?

    /// Names that complete a text of 1 letter or more, each once.
    ///
    /// Names that begin with the text come first (`.prefix`), then names with a word that begins with it
    /// (`.wordPrefix`). Each group is sorted by the number of comics, then by name. If there are few, similar names
    /// follow (`.fuzzy`). Throws `.cancelled` if the search runs immediately and the calling task is cancelled.
    func suggestions(for query: SearchQuery, limit: Int) throws(CatalogError) -> Lookup<SuggestedNames>
}

extension CharacterCatalog {
    package var characterCount: Int? { nil }
    package var loadedAt: Timestamp? { nil }
    package func drawnCharacter(id: Int64) -> DrawnCharacter? { nil }
}

package enum Lookup<Value: Sendable>: Sendable {
    case ready(Value)
    /// Throws early if its task is cancelled.
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
    case overloaded(maximumSearches: Int)
    /// Counts running and waiting searches.
    case shareSpent(maximumSearches: Int)
    /// The results no longer contain the character before the page.
    case placeLost
    case upstream(SourceError)
}

package struct CatalogEntry: Sendable {
    package let character: MarvelCharacter
    package let provenance: Provenance
    /// 0 if the character was never edited.
    package var editRevision: Int64 = 0

    package init(character: MarvelCharacter, provenance: Provenance) {
        self.character = character
        self.provenance = provenance
    }
}

package struct DrawnCharacter: Sendable {
    package let name: String
    package let provenance: Provenance
}

/// Part of page tokens, because only catalogs of one kind order the same names in the same way.
package enum CatalogKind: UInt8, Sendable, Hashable, CaseIterable {
    case builtIn = 1
    case synthetic = 2
    case gateway = 3
    case file = 4
}
