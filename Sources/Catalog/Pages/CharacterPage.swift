package import NIOCore
package import RPCCore
package import WireMessages

/// A page of search results, its characters already encoded.
package struct CharacterPage: Sendable {
    package let encoded: PageCharacters
    /// The number of results over all pages.
    package let total: Int
    package let provenance: Provenance
    /// The results from which the next pages can be made without a new search; nil if they are not kept.
    package var results: SearchResults?

    package init(_ encoded: PageCharacters, total: Int, provenance: Provenance, results: SearchResults?) {
        self.encoded = encoded
        self.total = total
        self.provenance = provenance
        self.results = results
    }

    /// The offset of the next page; nil if there is none.
    package var nextOffset: Int? { encoded.nextOffset }
    /// The ids of the page's characters, in order.
    package var ids: [Int64] { encoded.ids }
    /// The id of the page's last character; 0 if it has none.
    package var lastID: Int64 { encoded.lastID }
}

/// The encoded characters of a page, and the place of the next page: the part of a page that differs from page to page.
package struct PageCharacters: Sendable {
    /// The first run of characters. Nearly every page is one run, so that it needs no array.
    private let first: EncodedCharacters.Run
    /// The runs in the blocks that follow.
    private let rest: [EncodedCharacters.Run]
    /// The offset of the next page; nil if there is none.
    package let nextOffset: Int?

    package init(first: EncodedCharacters.Run, rest: [EncodedCharacters.Run], nextOffset: Int?) {
        self.first = first
        self.rest = rest
        self.nextOffset = nextOffset
    }

    /// The ids of the characters, in order.
    package var ids: [Int64] { rest.reduce(into: Array(first.ids)) { $0 += $1.ids } }

    /// The id of the last character; 0 if there is none.
    package var lastID: Int64 {
        let last = rest.isEmpty ? first : rest[rest.count - 1]
        return last.lastID
    }

    package var byteCount: Int {
        rest.reduce(first.byteCount) { $0 + $1.byteCount }
    }

    package func write(to writer: inout MessageWriter) {
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
