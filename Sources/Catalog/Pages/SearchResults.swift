package import RPCCore

/// All results of a search in a catalog in memory, from which pages are made without searching again.
package struct SearchResults: Sendable {
    private let catalog: InMemoryCatalog
    private let positions: FoundPositions

    init(catalog: InMemoryCatalog, positions: FoundPositions) {
        self.catalog = catalog
        self.positions = positions
    }

    /// The number of results.
    package var count: Int {
        switch positions {
        case .run(let run): run.count
        case .list(let list): list.positions.count
        }
    }

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
        switch positions {
        case .run(let run): catalog.page(of: run, at: offset, limit: limit)
        case .list(let list): catalog.page(of: list, at: offset, limit: limit)
        }
    }

    // MARK: Cuts

    /// The place of a page in the results: numbers only, because counting the references of a `CharacterPage` takes longer
    /// than copying the page's bytes.
    package struct Cut: Sendable {
        package let offset: Int
        package let limit: Int
        /// The block that has all characters of the page, and their bytes; nil if no block has all.
        fileprivate let run: (block: Int, bytes: Range<Int>)?
        /// The size of the encoded characters, in bytes.
        package let byteCount: Int
        /// The id of the last character.
        package let lastID: Int64
        /// The offset of the next page; nil if there is none.
        package let nextOffset: Int?
    }

    /// Finds a page.
    ///
    /// - Parameters:
    ///   - offset: The number of results before it; less than `count`.
    ///   - limit: The maximum number of characters on it; at least 1.
    /// - Returns: Its place.
    package func cut(at offset: Int, limit: Int) -> Cut {
        if case .run(let found) = positions, let cut = cut(of: found, at: offset, limit: limit) { return cut }
        let page = page(at: offset, limit: limit).encoded
        return Cut(
            offset: offset,
            limit: limit,
            run: nil,
            byteCount: page.byteCount,
            lastID: page.lastID,
            nextOffset: page.nextOffset
        )
    }

    /// Finds a page of adjacent positions; nil if no block has all of them.
    private func cut(of found: Range<Int>, at offset: Int, limit: Int) -> Cut? {
        let start = found.lowerBound + min(offset, found.count)
        let end = min(start + limit, found.upperBound)
        guard start < end, let (block, slots) = catalog.index.slots(start..<end) else { return nil }
        let characters = catalog.index.blocks[block].characters
        let bytes = characters.byteRange(of: slots)
        return Cut(
            offset: offset,
            limit: limit,
            run: (block, bytes),
            byteCount: bytes.count,
            lastID: characters.ids[slots.upperBound - 1],
            nextOffset: end < found.upperBound ? end - found.lowerBound : nil
        )
    }

    /// Writes the characters of a page: `byteCount` bytes.
    package func write(_ cut: Cut, to writer: inout MessageWriter) {
        guard let run = cut.run else { return page(at: cut.offset, limit: cut.limit).encoded.write(to: &writer) }
        catalog.index.blocks[run.block].characters.write(run.bytes, to: &writer)
    }

    /// Returns the ids of the characters of a page, in order.
    package func ids(of cut: Cut) -> [Int64] { page(at: cut.offset, limit: cut.limit).ids }
}
