package import NIOCore
package import RPCCore
package import WireMessages

package struct CharacterPage: Sendable {
    package let encoded: PageCharacters
    package let total: Int
    package let provenance: Provenance
    /// The results for further pages without a new search; nil if they are not kept.
    package var results: SearchResults?

    package init(_ encoded: PageCharacters, total: Int, provenance: Provenance, results: SearchResults?) {
        self.encoded = encoded
        self.total = total
        self.provenance = provenance
        self.results = results
    }

    package var nextOffset: Int? { encoded.nextPlace?.offset }
    package var ids: [Int64] { encoded.ids }
}

/// The encoded characters of a page, and the start of the next page.
package struct PageCharacters: Sendable {
    private let first: EncodedCharacters.Run
    private let rest: [EncodedCharacters.Run]
    /// The start of the next page; nil on the last page.
    package let nextPlace: PagePlace?

    package init(first: EncodedCharacters.Run, rest: [EncodedCharacters.Run], nextOffset: Int?) {
        let last = rest.last ?? first
        self.init(
            first: first,
            rest: rest,
            nextPlace: nextOffset.map {
                PagePlace(offset: $0, lastID: last.lastID, lastNameHash: last.lastNameHash)
            }
        )
    }

    private init(first: EncodedCharacters.Run, rest: [EncodedCharacters.Run], nextPlace: PagePlace?) {
        self.first = first
        self.rest = rest
        self.nextPlace = nextPlace
    }

    package var ids: [Int64] { rest.reduce(into: Array(first.ids)) { $0 += $1.ids } }

    /// In the page's order.
    package func ids(among others: [Int64]) -> [Int64] {
        guard !others.isEmpty else { return [] }
        return rest.reduce(into: first.ids.filter(others.contains)) { $0 += $1.ids.filter(others.contains) }
    }

    package var byteCount: Int {
        rest.reduce(first.byteCount) { $0 + $1.byteCount }
    }

    package func write(to writer: inout MessageWriter) {
        first.write(to: &writer)
        for run in rest { run.write(to: &writer) }
    }

    package func selecting(_ fields: CharacterFields) -> PageCharacters {
        var all = ByteBuffer()
        all.write(byteCount: byteCount) { write(to: &$0) }
        let (encoded, offsets) = fields.selected(from: all)
        let characters = EncodedCharacters(encoded: encoded, offsets: offsets, ids: ids)
        let run = EncodedCharacters.Run(characters: characters, slots: 0..<characters.count)
        return PageCharacters(first: run, rest: [], nextPlace: nextPlace)
    }
}

/// A class, because all pages of a catalog in memory share one.
package final class Provenance: Sendable {
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
