private import CMarvelSystem
package import MarvelDomain
package import NIOCore
package import RPCCore
internal import WireMessages

/// Each is a complete element of the field `characters` of `SearchCharactersResponse`. All pages share the buffer.
package final class EncodedCharacters: Sendable {
    static let none = EncodedCharacters(encoded: ByteBuffer(), offsets: [0], ids: [])

    /// At most 16 MiB: `ByteBuffer` copies slices that begin at a higher index.
    package let encoded: ByteBuffer
    /// An entry for each element, and one for the end of the last.
    private let entries: [Entry]

    /// The facts of one character, side by side: pages lie far apart, so the processor waits for each place in memory.
    private struct Entry: BitwiseCopyable {
        let id: Int64
        let start: UInt32
        let nameHash: UInt16
        /// The start of its name behind `start`; 0 if the byte before the name does not tell its length.
        let nameOffset: UInt8

        /// The end of the last character.
        init(end: UInt32) { (id, start, nameHash, nameOffset) = (0, end, 0, 0) }

        init(_ id: Int64, at start: UInt32, in element: UnsafeRawBufferPointer) {
            let name = SearchCharactersResponse.nameRange(ofElement: element)
            var hash = FNV1a()
            hash.combine(UnsafeRawBufferPointer(rebasing: element[name]))
            self.id = id
            self.start = start
            nameHash = max(1, UInt16(truncatingIfNeeded: hash.value ^ hash.value >> 32))
            let tellsLength = name.count < 0x80 && !name.isEmpty && Int(element[name.lowerBound - 1]) == name.count
            nameOffset = tellsLength ? UInt8(exactly: name.lowerBound) ?? 0 : 0
        }
    }

    /// `offsets` are the start of each element, and the end of the last.
    package init(encoded: ByteBuffer, offsets: [UInt32], ids: [Int64]) {
        self.encoded = encoded
        entries = encoded.withUnsafeReadableBytes { bytes in
            zip(ids, zip(offsets, offsets.dropFirst())).map { id, ends in
                Entry(id, at: ends.0, in: UnsafeRawBufferPointer(rebasing: bytes[Int(ends.0)..<Int(ends.1)]))
            } + [Entry(end: offsets[ids.count])]
        }
    }

    package var count: Int { entries.count - 1 }

    package var ids: [Int64] { ids(0..<count) }

    func ids(_ slots: Range<Int>) -> [Int64] { entries[slots].map(\.id) }

    /// The ids of the slots that are among the others, in the order of the slots.
    func ids(_ slots: Range<Int>, among others: [Int64]) -> [Int64] {
        entries[slots].compactMap { others.contains($0.id) ? $0.id : nil }
    }

    func id(_ slot: Int) -> Int64 { entries[slot].id }

    func byteRange(of slots: Range<Int>) -> Range<Int> {
        Int(entries[slots.lowerBound].start)..<Int(entries[slots.upperBound].start)
    }

    /// Returns a hash of a character's name, never 0. Page tokens hold it.
    func nameHash(_ slot: Int) -> UInt16 { entries[slot].nameHash }

    /// This cannot fail, because the bytes were encoded here.
    package func character(_ slot: Int) -> MarvelCharacter? {
        let element = Run(characters: self, slots: slot..<slot + 1).encoded
        return try? SearchCharactersResponse(decoding: element, limit: .response).characters.first
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
            entries.withUnsafeBufferPointer { entries in
                body(bytes) { slot in
                    let (start, offset) = (Int(entries[slot].start), Int(entries[slot].nameOffset))
                    if offset > 0 { return start + offset..<start + offset + Int(bytes[start + offset - 1]) }
                    let element = UnsafeRawBufferPointer(rebasing: bytes[start..<Int(entries[slot + 1].start)])
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
            if let start = bytes.baseAddress { marvel_prefetch(start + Int(entries[slot].start)) }
        }
    }

    func prefetchEntry(_ slot: Int) {
        entries.withUnsafeBufferPointer { entries in
            if let start = entries.baseAddress { marvel_prefetch(start + slot) }
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
            lastID = slots.isEmpty ? 0 : characters.id(slots.upperBound - 1)
        }

        /// A hash of the last character's name; 0 for an empty run.
        var lastNameHash: UInt16 { slots.isEmpty ? 0 : characters.nameHash(slots.upperBound - 1) }

        package var ids: [Int64] { characters.ids(slots) }

        func ids(among others: [Int64]) -> [Int64] { characters.ids(slots, among: others) }

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
