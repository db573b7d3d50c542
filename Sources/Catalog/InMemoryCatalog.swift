package import MarvelDomain
internal import NIOCore
package import WireMessages

/// A catalog that has every character in memory and answers at once.
package final class InMemoryCatalog: CharacterCatalog {
    package let kind: CatalogKind
    let index: CharacterIndex
    let provenance: Provenance

    /// - Parameters:
    ///   - characters: In any order. Of several with one id the first is kept.
    ///   - kind: What its page tokens are good for.
    ///   - attribution: The line that must be shown with the data.
    ///   - source: What the answers say of where they came from.
    package convenience init(
        _ characters: some Sequence<MarvelCharacter>,
        kind: CatalogKind,
        attribution: String,
        source: Freshness.Source
    ) {
        self.init(CharacterIndex(characters), kind: kind, attribution: attribution, source: source)
    }

    convenience init(_ index: CharacterIndex, kind: CatalogKind, attribution: String, source: Freshness.Source) {
        let provenance = Provenance(
            attribution: attribution,
            freshness: Freshness(source: source, age: .zero, isStale: false)
        )
        self.init(index, kind: kind, provenance: provenance)
    }

    init(_ index: CharacterIndex, kind: CatalogKind, provenance: Provenance) {
        self.kind = kind
        self.index = index
        self.provenance = provenance
    }

    package var attribution: String { provenance.attribution }

    /// How many characters there are.
    package var count: Int { index.count }

    package func search(
        _ query: SearchQuery,
        match: Match,
        offset: Int,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        guard match == .prefix else { throw .matchUnsupported(match) }
        let found = FoldedName.with(query.text) { index.range(withFoldedPrefix: $0) }
        return .ready(page(of: found, at: offset, limit: limit))
    }

    package func search(
        _ query: SearchQuery,
        match: Match,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        let lookup = try search(query, match: match, offset: place.offset + place.skip, limit: limit)
        guard place.lastID != 0, case .ready(let page) = lookup, let results = page.results else { return lookup }
        let offset = try results.offset(behind: place.lastID)
        return offset == place.offset ? lookup : .ready(results.page(at: offset + place.skip, limit: limit))
    }

    /// Where the character with that id is in the order of names, if there is one.
    func position(ofID id: Int64) -> Int? { index.position(ofID: id) }

    /// - Parameters:
    ///   - found: Positions that a search gave.
    ///   - offset: How many of them to pass over.
    ///   - limit: How many to take at most.
    /// - Returns: The page, in name order.
    func page(of found: Range<Int>, at offset: Int, limit: Int) -> CharacterPage {
        let start = found.lowerBound + min(offset, found.count)
        let end = min(start + limit, found.upperBound)
        let runs = index.runs(start..<end)
        return CharacterPage(
            first: runs.first,
            rest: runs.rest,
            total: found.count,
            nextOffset: end < found.upperBound ? end - found.lowerBound : nil,
            provenance: provenance,
            results: SearchResults(catalog: self, positions: found)
        )
    }

    package func character(id: Int64) -> Lookup<CatalogEntry?> {
        guard let element = index.encodedElement(id: id),
            // The index wrote these bytes itself: they are a response with exactly this character.
            let character = try? SearchCharactersResponse(decoding: element, limit: .response).characters.first
        else { return .ready(nil) }
        return .ready(CatalogEntry(character: character, provenance: provenance))
    }
}
