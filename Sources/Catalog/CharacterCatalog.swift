package import MarvelAPI
package import MarvelDomain

/// Where characters come from. Catalogs behave alike, whether they answer from memory or ask somebody else.
package protocol CharacterCatalog: Sendable {
    /// What its page tokens are good for.
    var kind: CatalogKind { get }

    /// The line that must be shown with the catalog's data.
    var attribution: String { get }

    /// The ways in which it can compare names.
    var matches: [Match] { get }

    /// A page of the characters whose names match.
    ///
    /// - Parameters:
    ///   - query: What to look for.
    ///   - match: How to compare it with names.
    ///   - offset: How many results to pass over, 0 or more. Beyond the end is an empty page.
    ///   - limit: How many characters at most, 1 to 100.
    /// - Returns: The page, in name order; of `fuzzy` the nearest names first, and in name order those that are equally
    ///   near; of `wordPrefix` and `substring` first the names that are just the query.
    /// - Throws: `.matchUnsupported` at once; a failure of the source comes out of the `later` closure.
    func search(
        _ query: SearchQuery,
        match: Match,
        offset: Int,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage>

    /// As above, from a place that was noted earlier, perhaps in what the catalog was before it was changed.
    ///
    /// - Throws: `.placeLost` too, if the catalog was changed and the place is no more.
    func search(
        _ query: SearchQuery,
        match: Match,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage>

    /// The character with that id, or nil if there is none.
    func character(id: Int64) -> Lookup<CatalogEntry?>

    /// Names that complete what a person is typing.
    ///
    /// - Parameters:
    ///   - query: What was typed so far, 1 letter or more.
    ///   - limit: How many names at most, 1 or more.
    /// - Returns: Names as the catalog has them, each once: those that begin with the query in name order, then those
    ///   of which a word begins with it, then, if there are hardly any, those that are near it, the nearest first.
    ///   Each has its match: `.prefix`, `.wordPrefix` or `.fuzzy`, in this order.
    /// - Throws: `.cancelled`, if this looks at every name at once and its task was.
    func suggestions(for query: SearchQuery, limit: Int) throws(CatalogError) -> Lookup<[NameSuggestion]>
}

extension CharacterCatalog {
    /// By the offset alone: whoever asks a gateway for every page cannot know better.
    package func search(
        _ query: SearchQuery,
        match: Match,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        try search(query, match: match, offset: place.offset + place.skip, limit: limit)
    }
}

/// An answer that memory has, or the work of fetching it.
package enum Lookup<Value: Sendable>: Sendable {
    case ready(Value)
    /// Ends early, with a `CatalogError` that says so, when its task is cancelled.
    case later(@Sendable () async throws(CatalogError) -> Value)
}

/// Why a catalog has no answer.
package enum CatalogError: Error, Sendable, Hashable {
    /// This catalog cannot compare names in that way.
    case matchUnsupported(Match)
    /// The task that asked was cancelled.
    case cancelled
    /// So many searches wait for a processor already, and no more may.
    case overloaded(maximumSearches: Int)
    /// The catalog was changed, and the character that a page was to begin behind is not among the results any more.
    case placeLost
    /// The gateway behind the catalog did not give one.
    case upstream(MarvelAPIError)
}

/// One character, and where it came from.
package struct CatalogEntry: Sendable {
    package let character: MarvelCharacter
    package let provenance: Provenance
    /// Of the operator's last edit of it; 0 if there is none.
    package var editRevision: Int64 = 0
}
