package import MarvelDomain

/// A source of characters. All catalogs behave alike, whether they answer from memory or call a gateway.
package protocol CharacterCatalog: Sendable {
    /// The kind of the catalog, which its page tokens name.
    var kind: CatalogKind { get }

    /// The line that must be shown with the catalog's data.
    var attribution: String { get }

    /// The ways in which it can compare names.
    var matches: [Match] { get }

    /// The number of characters; nil if it is not known.
    var characterCount: Int? { get }

    /// The time at which the characters were loaded; nil if the catalog does not know one.
    var loadedAt: Timestamp? { get }

    /// Returns a page of the characters whose names match.
    ///
    /// - Parameters:
    ///   - query: The text to search for.
    ///   - match: The way to compare the query with names.
    ///   - offset: The number of results to skip, 0 or more. A page beyond the end is empty.
    ///   - limit: The maximum number of characters, 1 to 100.
    /// - Returns: The page, in name order. For `fuzzy` the most similar names come first, and equally similar names are
    ///   in name order. For `wordPrefix` and `substring` the names that equal the query come first.
    /// - Throws: `.matchUnsupported` at once; a failure of the source comes out of the `later` closure.
    func search(
        _ query: SearchQuery,
        match: Match,
        offset: Int,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage>

    /// Returns a page of the characters whose names match, from a place that an earlier page ended at. The catalog may
    /// have changed since then.
    ///
    /// - Throws: The errors of the search by offset, and `.placeLost` if the catalog was changed and no longer has the
    ///   place.
    func search(
        _ query: SearchQuery,
        match: Match,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage>

    /// Returns the character with an id; nil if there is none.
    func character(id: Int64) -> Lookup<CatalogEntry?>

    /// Returns names that complete a text that is being typed.
    ///
    /// - Parameters:
    ///   - query: The text so far, 1 letter or more.
    ///   - limit: The maximum number of names, 1 or more.
    /// - Returns: Names as the catalog has them, each once: first those that begin with the query, then those with a word
    ///   that begins with it, each by the number of comics, the most first, and then by name. If there are hardly any,
    ///   similar names follow, the most similar first. Each has its match: `.prefix`, `.wordPrefix` or `.fuzzy`, in this
    ///   order.
    /// - Throws: `.cancelled`, if every name is compared at once and the calling task was cancelled.
    func suggestions(for query: SearchQuery, limit: Int) throws(CatalogError) -> Lookup<[NameSuggestion]>
}

extension CharacterCatalog {
    // A catalog that fetches each character when it is requested knows neither.
    package var characterCount: Int? { nil }
    package var loadedAt: Timestamp? { nil }

    /// Searches by the place's offset alone, because a gateway accepts nothing else.
    package func search(
        _ query: SearchQuery,
        match: Match,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        try search(query, match: match, offset: place.offset + place.skip, limit: limit)
    }
}

/// An answer from memory, or the asynchronous work that produces it.
package enum Lookup<Value: Sendable>: Sendable {
    case ready(Value)
    /// The work that produces the answer. It throws a `CatalogError` early if its task is cancelled.
    case later(@Sendable () async throws(CatalogError) -> Value)

    /// The answer, after the work is done if it takes any.
    package var value: Value {
        get async throws(CatalogError) {
            switch self {
            case .ready(let value): value
            case .later(let fetch): try await fetch()
            }
        }
    }
}

/// The reason why a catalog has no answer.
package enum CatalogError: Error, Sendable, Hashable {
    /// This catalog cannot compare names in that way.
    case matchUnsupported(Match)
    /// The task that asked was cancelled.
    case cancelled
    /// The queue of searches that wait for a processor is full.
    case overloaded(maximumSearches: Int)
    /// As many searches of the caller run and wait as one caller may have.
    case shareSpent(maximumSearches: Int)
    /// The catalog was changed, and the character after which a page was to begin is no longer among the results.
    case placeLost
    /// The call to the gateway failed.
    case upstream(SourceError)
}

/// A character and its provenance.
package struct CatalogEntry: Sendable {
    package let character: MarvelCharacter
    package let provenance: Provenance
    /// The revision of the operator's last edit of the character; 0 if there is none.
    package var editRevision: Int64 = 0

    package init(character: MarvelCharacter, provenance: Provenance) {
        self.character = character
        self.provenance = provenance
    }
}

/// A kind of catalog. It is part of page tokens, because only catalogs of one kind order the same names in the same
/// way.
package enum CatalogKind: UInt8, Sendable, Hashable, CaseIterable {
    case builtIn = 1
    case synthetic = 2
    case gateway = 3
    case file = 4
}
