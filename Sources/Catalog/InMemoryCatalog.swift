package import MarvelDomain
internal import NIOCore
package import WireMessages

/// Work that is independent of the number of characters runs immediately.
package final class InMemoryCatalog: CharacterCatalog {
    package let kind: CatalogKind
    package var matches: [Match] { Match.allCases }
    /// A search over this many characters takes a tenth of a millisecond on the caller's event loop.
    static let immediateCount = 8192

    let index: CharacterIndex
    let provenance: Provenance
    private let recentCharacters = RecentCharacters()

    /// If several characters have one id, the first is kept. `source` is for the freshness of answers.
    package convenience init(
        _ characters: some Sequence<MarvelCharacter>,
        kind: CatalogKind,
        attribution: String,
        source: Freshness.Source
    ) {
        let provenance = Provenance(attribution: attribution, freshness: Freshness(source: source))
        self.init(CharacterIndex(characters), kind: kind, provenance: provenance)
    }

    init(_ index: CharacterIndex, kind: CatalogKind, provenance: Provenance) {
        self.kind = kind
        self.index = index
        self.provenance = provenance
    }

    package var attribution: String { provenance.attribution }

    package var count: Int { index.count }
    package var characterCount: Int? { count }

    package func search(
        _ query: SearchQuery,
        match: Match,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        guard match == .prefix else {
            return try lookingAtEveryName { [self] () throws(CatalogError) in
                let positions = PositionList(try NameSearch(query.text, match).positions(in: index))
                return try page(of: .list(positions), at: place, limit: limit)
            }
        }
        let found = FoldedName.with(query.text) { index.range(withFoldedPrefix: $0) }
        return .ready(try page(of: .run(found), at: place, limit: limit))
    }

    private func page(
        of found: FoundPositions,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> CharacterPage {
        let results = SearchResults(catalog: self, positions: found)
        return results.page(at: try offset(of: place, in: found) + place.skip, limit: limit)
    }

    /// - Throws: `.placeLost` if the character before the place is not among the results, or has moved there with
    ///   another name.
    private func offset(of place: PagePlace, in found: FoundPositions) throws(CatalogError) -> Int {
        guard place.lastID != 0 else { return place.offset }
        // Nearly always the catalog is the same as when the place was noted.
        if let position = found.position(at: place.offset - 1), index.id(at: position) == place.lastID {
            return place.offset
        }
        guard let position = index.position(ofID: place.lastID), let number = found.number(of: position),
            [0, index.nameHash(at: position)].contains(place.lastNameHash)
        else { throw .placeLost }
        return number + 1
    }

    /// Immediately if there are few names, otherwise when the gate admits it.
    func lookingAtEveryName<Found: Sendable>(
        _ search: @escaping @Sendable () throws(CatalogError) -> Found
    ) throws(CatalogError) -> Lookup<Found> {
        guard index.count > InMemoryCatalog.immediateCount else { return .ready(try search()) }
        return .later { () async throws(CatalogError) in try await SearchGate.shared.run(search) }
    }

    package func character(id: Int64) -> Lookup<CatalogEntry?> {
        let character = recentCharacters.character(id) {
            index.place(ofID: id).flatMap { index.blocks[$0.block].character($0.slot) }
        }
        return .ready(character.map { CatalogEntry(character: $0, provenance: provenance) })
    }

    package func drawnCharacter(id: Int64) -> DrawnCharacter? {
        guard let (block, slot) = index.place(ofID: id),
            let name = index.blocks[block].characters.drawnName(slot)
        else { return nil }
        return DrawnCharacter(name: name, provenance: provenance)
    }
}

extension InMemoryCatalog {
    /// Readers of this catalog are not affected.
    package func editing(putting characters: [MarvelCharacter], removing removed: Set<Int64>) -> InMemoryCatalog {
        InMemoryCatalog(
            index.editing(putting: characters, removing: removed),
            kind: kind,
            provenance: provenance
        )
    }

    package func knownCharacter(id: Int64) -> MarvelCharacter? {
        guard case .ready(let entry?) = character(id: id) else { return nil }
        return entry.character
    }
}
