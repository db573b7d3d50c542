internal import NIOCore

/// A few thousand characters that follow one another in name order. An edit replaces one block.
final class CharacterBlock: Sendable {
    /// The characters as elements of the field `characters`. At most 16 MiB: `ByteBuffer` copies slices that lie
    /// further in.
    let encoded: ByteBuffer
    /// Where each element starts, and the end of the last.
    let offsets: [UInt32]
    let ids: [Int64]
    let foldedNames: PackedTexts

    init(encoded: ByteBuffer, offsets: [UInt32], ids: [Int64], foldedNames: PackedTexts) {
        self.encoded = encoded
        self.offsets = offsets
        self.ids = ids
        self.foldedNames = foldedNames
    }

    var count: Int { ids.count }

    /// Shares the block's memory.
    func run(_ slots: Range<Int>) -> CharacterPage.Run {
        CharacterPage.Run(encoded: elements(slots), ids: ids[slots])
    }

    func elements(_ slots: Range<Int>) -> ByteBuffer {
        let start = Int(offsets[slots.lowerBound])
        let length = Int(offsets[slots.upperBound]) - start
        return encoded.getSlice(at: encoded.readerIndex + start, length: length) ?? ByteBuffer()
    }
}
