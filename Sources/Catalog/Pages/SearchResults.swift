/// All that a search found in a catalog in memory: what pages are cut from without searching again.
package struct SearchResults: Sendable {
    private let catalog: InMemoryCatalog
    private let positions: FoundPositions

    init(catalog: InMemoryCatalog, positions: FoundPositions) {
        self.catalog = catalog
        self.positions = positions
    }

    /// As `CharacterCatalog.search`, of the search that gave these.
    package func page(at offset: Int, limit: Int) -> CharacterPage {
        switch positions {
        case .run(let run): catalog.page(of: run, at: offset, limit: limit)
        case .list(let list): catalog.page(of: list, at: offset, limit: limit)
        }
    }
}
