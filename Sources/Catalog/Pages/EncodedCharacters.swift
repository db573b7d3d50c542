private import CMarvelSystem
internal import MarvelDomain
package import NIOCore
package import RPCCore
internal import WireMessages

/// Each is a complete element of the field `characters` of `SearchCharactersResponse`. All pages share the buffer.
package final class EncodedCharacters: Sendable {
    static let none = EncodedCharacters(encoded: ByteBuffer(), offsets: [0], ids: [])

    /// At most 16 MiB: `ByteBuffer` copies slices that begin at a higher index.
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
        withNames { bytes, nameRange in
            String(decoding: bytes[nameRange(slot)], as: UTF8.self)
        }
    }

    /// Returns a hash of a character's name, never 0. Page tokens hold it.
    func nameHash(_ slot: Int) -> UInt16 {
        var hash = FNV1a()
        withNames { bytes, nameRange in hash.combine(UnsafeRawBufferPointer(rebasing: bytes[nameRange(slot)])) }
        return max(1, UInt16(truncatingIfNeeded: hash.value ^ hash.value >> 32))
    }

    /// Returns the name of a character whose picture the service draws; nil for another one.
    func drawnName(_ slot: Int) -> String? {
        withBytes(in: byteRange(of: slot..<slot + 1)) { element in
            guard let (name, path) = SearchCharactersResponse.pictureRanges(ofElement: element),
                Thumbnail.isDrawn(path: element[path])
            else { return nil }
            return String(decoding: element[name], as: UTF8.self)
        }
    }

    /// `body` also gets a function that finds the UTF-8 of a slot's name in the bytes.
    @inline(__always)
    func withNames<Result>(
        _ body: (_ bytes: UnsafeRawBufferPointer, _ nameRange: (_ slot: Int) -> Range<Int>) -> Result
    ) -> Result {
        encoded.withUnsafeReadableBytes { bytes in
            offsets.withUnsafeBufferPointer { offsets in
                body(bytes) { slot in
                    let (start, end) = (Int(offsets[slot]), Int(offsets[slot + 1]))
                    let element = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                    return SearchCharactersResponse.nameRange(ofElement: element).shifted(by: start)
                }
            }
        }
    }

    func withBytes<Result>(in range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        encoded.withUnsafeReadableBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// The beginning of a range is written soon. Pages lie far apart, so the copy would wait for the memory.
    func prefetch(_ byteRange: Range<Int>) {
        withBytes(in: byteRange.prefix(Self.prefetchedByteCount)) { bytes in
            guard let start = bytes.baseAddress else { return }
            for offset in stride(from: 0, to: bytes.count, by: Self.cacheLine) { marvel_prefetch(start + offset) }
        }
    }

    func prefetch(_ slot: Int) {
        encoded.withUnsafeReadableBytes { bytes in
            if let start = bytes.baseAddress { marvel_prefetch(start + Int(offsets[slot])) }
        }
    }

    func prefetchOffset(_ slot: Int) {
        offsets.withUnsafeBufferPointer { offsets in
            if let start = offsets.baseAddress { marvel_prefetch(start + slot) }
        }
    }

    /// About those of a page of 10.
    private static let prefetchedByteCount = 1024
    /// In bytes.
    private static let cacheLine = 64

    func write(_ byteRange: Range<Int>, to writer: inout MessageWriter) {
        withBytes(in: byteRange) { writer.write($0) }
    }

    package struct Run: Sendable {
        static let empty = Run(characters: .none, slots: 0..<0)

        let characters: EncodedCharacters
        let slots: Range<Int>
        private let byteRange: Range<Int>
        /// 0 for an empty run.
        let lastID: Int64

        package init(characters: EncodedCharacters, slots: Range<Int>) {
            self.characters = characters
            self.slots = slots
            // Both are read here, so that the processor waits for both at once.
            byteRange = characters.byteRange(of: slots)
            lastID = slots.isEmpty ? 0 : characters.ids[slots.upperBound - 1]
        }

        /// A hash of the last character's name; 0 for an empty run.
        var lastNameHash: UInt16 { slots.isEmpty ? 0 : characters.nameHash(slots.upperBound - 1) }

        package var ids: ArraySlice<Int64> { characters.ids[slots] }

        package var byteCount: Int { byteRange.count }

        package func write(to writer: inout MessageWriter) {
            characters.write(byteRange, to: &writer)
        }

        /// Shares the buffer's memory.
        package var encoded: ByteBuffer {
            let start = characters.encoded.readerIndex + byteRange.lowerBound
            return characters.encoded.getSlice(at: start, length: byteCount) ?? ByteBuffer()
        }

        func prefetch() { characters.prefetch(byteRange) }
    }
}
