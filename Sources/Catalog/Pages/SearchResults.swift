/// All that a search found in a catalog in memory: what pages are cut from without searching again.
package struct SearchResults: Sendable {
    private let catalog: InMemoryCatalog
    private let positions: Range<Int>

    init(catalog: InMemoryCatalog, positions: Range<Int>) {
        self.catalog = catalog
        self.positions = positions
    }

    /// How many results there are up to a character, this one included.
    ///
    /// - Throws: `.placeLost` if it is none of them.
    func offset(behind id: Int64) throws(CatalogError) -> Int {
        guard let position = catalog.position(ofID: id), positions.contains(position) else { throw .placeLost }
        return position - positions.lowerBound + 1
    }

    /// As `CharacterCatalog.search`, of the search that gave these.
    package func page(at offset: Int, limit: Int) -> CharacterPage {
        catalog.page(of: positions, at: offset, limit: limit)
    }
}
