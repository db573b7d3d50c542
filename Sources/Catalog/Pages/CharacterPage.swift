package import RPCCore

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
