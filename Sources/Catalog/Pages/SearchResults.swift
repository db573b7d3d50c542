/// All results of a search in a catalog in memory. They make further pages without a new search.
package struct SearchResults: Sendable {
    private let catalog: InMemoryCatalog
    private let positions: FoundPositions

    init(catalog: InMemoryCatalog, positions: FoundPositions) {
        self.catalog = catalog
        self.positions = positions
    }

    package var count: Int { positions.count }

    package var provenance: Provenance { catalog.provenance }

    /// Returns the number of results up to and including a character.
    ///
    /// - Throws: `.placeLost` if the character is not among the results.
    func offset(behind id: Int64) throws(CatalogError) -> Int {
        guard let position = catalog.position(ofID: id), let number = positions.number(of: position)
        else { throw .placeLost }
        return number + 1
    }

    package func page(at offset: Int, limit: Int) -> CharacterPage {
        catalog.page(of: positions, at: offset, limit: limit)
    }

    package func characters(at offset: Int, limit: Int) -> PageCharacters {
        catalog.characters(of: positions, at: offset, limit: limit)
    }
}
