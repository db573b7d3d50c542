/// Makes further pages without a new search.
package struct SearchResults: Sendable {
    private let catalog: InMemoryCatalog
    private let positions: FoundPositions

    init(catalog: InMemoryCatalog, positions: FoundPositions) {
        self.catalog = catalog
        self.positions = positions
    }

    package var count: Int { positions.count }

    package var provenance: Provenance { catalog.provenance }

    package func page(at offset: Int, limit: Int) -> CharacterPage {
        catalog.page(of: positions, at: offset, limit: limit)
    }

    package func characters(at offset: Int, limit: Int) -> PageCharacters {
        catalog.characters(of: positions, at: offset, limit: limit)
    }
}
