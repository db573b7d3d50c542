/// All results of a search in a catalog in memory, from which pages are made without searching again.
package struct SearchResults: Sendable {
    private let catalog: InMemoryCatalog
    private let positions: FoundPositions

    init(catalog: InMemoryCatalog, positions: FoundPositions) {
        self.catalog = catalog
        self.positions = positions
    }

    /// The number of results.
    package var count: Int { positions.count }

    package var provenance: Provenance { catalog.provenance }

    /// Returns the offset after a character: the number of results up to it, the character included.
    ///
    /// - Throws: `.placeLost` if the character is not among the results.
    func offset(behind id: Int64) throws(CatalogError) -> Int {
        guard let position = catalog.position(ofID: id), let number = positions.number(of: position)
        else { throw .placeLost }
        return number + 1
    }

    /// Makes a page of these results, as `CharacterCatalog.search` does.
    package func page(at offset: Int, limit: Int) -> CharacterPage {
        catalog.page(of: positions, at: offset, limit: limit)
    }

    /// Returns the characters of a page.
    package func characters(at offset: Int, limit: Int) -> PageCharacters {
        catalog.characters(of: positions, at: offset, limit: limit)
    }
}
