package import NIOCore

/// A page of search results, its characters already encoded.
package struct CharacterPage: Sendable {
    /// Characters that lie side by side.
    package struct Run: Sendable {
        /// Whole elements of the repeated field `characters` of `SearchCharactersResponse`, one behind the other: with
        /// the other fields of that message behind them they are the message.
        package let encoded: ByteBuffer
        /// The ids of the same characters.
        package let ids: ArraySlice<Int64>

        package static let empty = Run(encoded: ByteBuffer(), ids: [])
    }

    /// Nearly every page is one run, so the first has a place of its own and costs no array.
    package let first: Run
    /// What lies in the blocks behind.
    package let rest: [Run]
    /// Results over all pages.
    package let total: Int
    /// Where the next page starts; nil if there is none.
    package let nextOffset: Int?
    package let provenance: Provenance

    /// The ids of the page's characters, in order.
    package var ids: [Int64] { rest.reduce(into: Array(first.ids)) { $0 += $1.ids } }

    package var encodedByteCount: Int {
        rest.reduce(first.encoded.readableBytes) { $0 + $1.encoded.readableBytes }
    }

    package func writeEncoded(into buffer: inout ByteBuffer) {
        buffer.writeImmutableBuffer(first.encoded)
        for run in rest { buffer.writeImmutableBuffer(run.encoded) }
    }
}
