package import NIOCore
package import RPCCore
internal import WireMessages

/// Encoded characters in one buffer. Each is a complete element of the repeated field `characters` of
/// `SearchCharactersResponse`.
///
/// The buffer is immutable, and shared by every page that contains some of its characters.
package final class EncodedCharacters: Sendable {
    static let none = EncodedCharacters(encoded: ByteBuffer(), offsets: [0], ids: [])

    /// The bytes of all elements, at most 16 MiB: `ByteBuffer` copies slices that begin at a higher index.
    package let encoded: ByteBuffer
    /// The start of each element, and the end of the last.
    let offsets: [UInt32]
    package let ids: [Int64]

    package init(encoded: ByteBuffer, offsets: [UInt32], ids: [Int64]) {
        self.encoded = encoded
        self.offsets = offsets
        self.ids = ids
    }

    package var count: Int { ids.count }

    func byteRange(of slots: Range<Int>) -> Range<Int> {
        Int(offsets[slots.lowerBound])..<Int(offsets[slots.upperBound])
    }

    func name(_ slot: Int) -> String {
        encoded.withUnsafeReadableBytes { bytes in
            let element = UnsafeRawBufferPointer(rebasing: bytes[byteRange(of: slot..<slot + 1)])
            return SearchCharactersResponse.characterName(ofElement: element)
        }
    }

    func write(_ byteRange: Range<Int>, to writer: inout MessageWriter) {
        encoded.withUnsafeReadableBytes { writer.write(UnsafeRawBufferPointer(rebasing: $0[byteRange])) }
    }

    package struct Run: Sendable {
        static let empty = Run(characters: .none, slots: 0..<0)

        let characters: EncodedCharacters
        let slots: Range<Int>

        package init(characters: EncodedCharacters, slots: Range<Int>) {
            self.characters = characters
            self.slots = slots
        }

        package var ids: ArraySlice<Int64> { characters.ids[slots] }

        var lastID: Int64 { slots.isEmpty ? 0 : characters.ids[slots.upperBound - 1] }

        package var byteCount: Int { byteRange.count }

        package func write(to writer: inout MessageWriter) {
            characters.write(byteRange, to: &writer)
        }

        /// The bytes of the run. The slice shares the buffer's memory.
        package var encoded: ByteBuffer {
            let start = characters.encoded.readerIndex + byteRange.lowerBound
            return characters.encoded.getSlice(at: start, length: byteCount) ?? ByteBuffer()
        }

        private var byteRange: Range<Int> { characters.byteRange(of: slots) }
    }
}
