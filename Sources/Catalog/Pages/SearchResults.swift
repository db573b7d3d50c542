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
        CharacterPage(
            characters(at: offset, limit: limit),
            total: count,
            provenance: provenance,
            results: positions.mayBeHeld ? self : nil
        )
    }

    package func characters(at offset: Int, limit: Int) -> PageCharacters {
        let places = min(offset, count)..<min(offset + limit, count)
        let runs =
            switch positions {
            case .run(let range):
                catalog.index.runs(range.lowerBound + places.lowerBound..<range.lowerBound + places.upperBound)
            case .list(let list): catalog.index.runs(list.positions[places])
            }
        return PageCharacters(runs, nextOffset: places.upperBound < count ? places.upperBound : nil)
    }
}
