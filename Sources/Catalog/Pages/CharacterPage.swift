package import NIOCore
package import RPCCore
package import WireMessages

/// An object: a value of this size was copied, reference by reference, from call to call.
package final class CharacterPage: Sendable {
    package let encoded: PageCharacters
    package let total: Int
    package let provenance: Provenance
    /// The results for further pages without a new search; nil if they are not kept.
    package let results: SearchResults?

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
    private let runs: CharacterRuns
    /// The start of the next page; nil on the last page.
    package let nextPlace: PagePlace?

    package init(_ runs: CharacterRuns, nextOffset: Int?) {
        nextPlace = nextOffset.map { PagePlace(offset: $0, lastID: runs.lastID, lastNameHash: runs.lastNameHash) }
        self.runs = runs
    }

    private init(_ runs: CharacterRuns, nextPlace: PagePlace?) {
        self.runs = runs
        self.nextPlace = nextPlace
    }

    package var ids: [Int64] { runs.rest.reduce(runs.first.ids) { $0 + $1.ids } }

    /// In the page's order.
    package func ids(among others: [Int64]) -> [Int64] {
        guard !others.isEmpty else { return [] }
        return runs.rest.reduce(runs.first.ids(among: others)) { $0 + $1.ids(among: others) }
    }

    package var byteCount: Int { runs.rest.reduce(runs.first.byteCount) { $0 + $1.byteCount } }

    package func write(to writer: inout MessageWriter) {
        runs.first.write(to: &writer)
        for run in runs.rest { run.write(to: &writer) }
    }

    package func selecting(_ fields: CharacterFields) -> PageCharacters {
        var all = ByteBuffer()
        all.write(byteCount: byteCount) { write(to: &$0) }
        let (encoded, offsets) = fields.selected(from: all)
        let characters = EncodedCharacters(encoded: encoded, offsets: offsets, ids: ids)
        let run = EncodedCharacters.Run(characters: characters, slots: 0..<characters.count)
        return PageCharacters(CharacterRuns(run), nextPlace: nextPlace)
    }
}

/// The characters of a page where they lie in memory. Nearly every page is one run.
package struct CharacterRuns: Sendable {
    static let empty = CharacterRuns(.empty)

    /// Empty only if there are no others.
    private(set) var first: EncodedCharacters.Run
    private(set) var rest: [EncodedCharacters.Run] = []

    package init(_ first: EncodedCharacters.Run) { self.first = first }

    mutating func append(_ run: EncodedCharacters.Run) {
        if first.slots.isEmpty { first = run } else { rest.append(run) }
    }

    mutating func append(_ others: CharacterRuns) {
        append(others.first)
        for run in others.rest { append(run) }
    }

    /// 0 without a character.
    fileprivate var lastID: Int64 { rest.isEmpty ? first.lastID : rest[rest.count - 1].lastID }

    /// 0 without a character.
    fileprivate var lastNameHash: UInt16 { rest.isEmpty ? first.lastNameHash : rest[rest.count - 1].lastNameHash }
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
