/// All that a search found in a catalog in memory: what pages are cut from without searching again.
package struct SearchResults: Sendable {
    private let catalog: InMemoryCatalog
    private let positions: FoundPositions

    init(catalog: InMemoryCatalog, positions: FoundPositions) {
        self.catalog = catalog
        self.positions = positions
    }

    /// How many results there are up to a character, this one included.
    ///
    /// - Throws: `.placeLost` if it is none of them.
    func offset(behind id: Int64) throws(CatalogError) -> Int {
        guard let position = catalog.position(ofID: id), let number = positions.number(of: position)
        else { throw .placeLost }
        return number + 1
    }

    /// As `CharacterCatalog.search`, of the search that gave these.
    package func page(at offset: Int, limit: Int) -> CharacterPage {
        switch positions {
        case .run(let run): catalog.page(of: run, at: offset, limit: limit)
        case .list(let list): catalog.page(of: list, at: offset, limit: limit)
        }
    }
}
