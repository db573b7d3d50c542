package import NIOCore
package import RPCCore

/// Characters encoded once, side by side: each is a whole element of the repeated field `characters` of
/// `SearchCharactersResponse`. Never changed, and shared by every page that holds some of them.
package final class EncodedCharacters: Sendable {
    static let none = EncodedCharacters(encoded: ByteBuffer(), offsets: [0], ids: [])

    /// At most 16 MiB: `ByteBuffer` copies slices that lie further in.
    let encoded: ByteBuffer
    /// Where each element starts, and the end of the last.
    let offsets: [UInt32]
    let ids: [Int64]

    init(encoded: ByteBuffer, offsets: [UInt32], ids: [Int64]) {
        self.encoded = encoded
        self.offsets = offsets
        self.ids = ids
    }

    var count: Int { ids.count }

    /// Some that lie side by side.
    package struct Run: Sendable {
        static let empty = Run(characters: .none, slots: 0..<0)

        let characters: EncodedCharacters
        let slots: Range<Int>

        package var ids: ArraySlice<Int64> { characters.ids[slots] }

        /// The last of the ids; 0 if there is none.
        var lastID: Int64 { slots.isEmpty ? 0 : characters.ids[slots.upperBound - 1] }

        package var byteCount: Int { byteRange.count }

        package func write(to writer: inout MessageWriter) {
            characters.encoded.withUnsafeReadableBytes { bytes in
                writer.write(UnsafeRawBufferPointer(rebasing: bytes[byteRange]))
            }
        }

        /// The same bytes; shares their memory.
        package var encoded: ByteBuffer {
            let start = characters.encoded.readerIndex + byteRange.lowerBound
            return characters.encoded.getSlice(at: start, length: byteCount) ?? ByteBuffer()
        }

        private var byteRange: Range<Int> {
            Int(characters.offsets[slots.lowerBound])..<Int(characters.offsets[slots.upperBound])
        }
    }
}
