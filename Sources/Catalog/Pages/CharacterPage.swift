package import NIOCore
package import RPCCore
package import WireMessages

/// A page of search results, its characters already encoded.
package struct CharacterPage: Sendable {
    /// The first run of characters. Nearly every page is one run, so that it needs no array.
    package let first: EncodedCharacters.Run
    /// The runs in the blocks that follow.
    package let rest: [EncodedCharacters.Run]
    /// The number of results over all pages.
    package let total: Int
    /// The offset of the next page; nil if there is none.
    package let nextOffset: Int?
    package let provenance: Provenance
    /// The results from which the next pages can be made without a new search; nil if they are not kept.
    package var results: SearchResults?

    package init(
        first: EncodedCharacters.Run,
        rest: [EncodedCharacters.Run],
        total: Int,
        nextOffset: Int?,
        provenance: Provenance,
        results: SearchResults?
    ) {
        self.first = first
        self.rest = rest
        self.total = total
        self.nextOffset = nextOffset
        self.provenance = provenance
        self.results = results
    }

    /// The ids of the page's characters, in order.
    package var ids: [Int64] { rest.reduce(into: Array(first.ids)) { $0 += $1.ids } }

    /// The id of the page's last character; 0 if it has none.
    package var lastID: Int64 {
        let last = rest.isEmpty ? first : rest[rest.count - 1]
        return last.lastID
    }

    package var encodedByteCount: Int {
        rest.reduce(first.byteCount) { $0 + $1.byteCount }
    }

    package func writeEncoded(to writer: inout MessageWriter) {
        first.write(to: &writer)
        for run in rest { run.write(to: &writer) }
    }
}

/// The attribution and freshness of data, and their encoding for the end of a page.
///
/// It is a class, because every page of a catalog in memory refers to the same one.
package final class Provenance: Sendable {
    /// The line that must be shown with the data.
    package let attribution: String
    package let freshness: Freshness
    /// A `SearchCharactersResponse` with `attribution` and `freshness` and nothing else.
    package let encodedPageTail: ByteBuffer

    package init(attribution: String, freshness: Freshness) {
        self.attribution = attribution
        self.freshness = freshness
        self.encodedPageTail = SearchCharactersResponse(total: 0, attribution: attribution, freshness: freshness)
            .encoded()
    }
}

/// All results of a search in a catalog in memory, from which pages are made without searching again.
package struct SearchResults: Sendable {
    private let catalog: InMemoryCatalog
    private let positions: FoundPositions

    init(catalog: InMemoryCatalog, positions: FoundPositions) {
        self.catalog = catalog
        self.positions = positions
    }

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
}
