package import RPCCore

/// A page of search results, its characters already encoded.
package struct CharacterPage: Sendable {
    /// Nearly every page is one run, so the first has a place of its own and costs no array.
    package let first: EncodedCharacters.Run
    /// What lies in the blocks behind.
    package let rest: [EncodedCharacters.Run]
    /// Results over all pages.
    package let total: Int
    /// Where the next page starts; nil if there is none.
    package let nextOffset: Int?
    package let provenance: Provenance
    /// What the pages behind this one can be cut from; nil if they have to be asked for.
    package var results: SearchResults?

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
