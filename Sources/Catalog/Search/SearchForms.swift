internal import CPrefetch

/// The search forms of a block's names in a few allocations, with filters that exclude nearly all names cheaply.
///
/// SUBSTRING reads 8 bytes for most names, and the other searches read some bits for most words.
struct SearchForms: Sendable {
    /// The letters of all names, padded with zeros, so that eight bytes can be read at every letter.
    private let letters: [UInt8]
    /// The end of each name's letters.
    private let ends: [UInt32]
    private let pairs: [LetterPairs]
    /// A bit for each byte of `letters`, set if a word begins there.
    private let wordStarts: [UInt64]
    private let words: [Word]
    private let heads: WordHeads

    init(_ foldedNames: PackedTexts) {
        var builder = SearchFormsBuilder(names: foldedNames.count, bytes: foldedNames.byteCount)
        foldedNames.forEach { builder.append($0) }
        letters = builder.letters
        ends = builder.ends
        pairs = builder.pairs
        wordStarts = builder.wordStarts
        words = builder.words
        heads = builder.heads
    }

    struct Word: BitwiseCopyable {
        /// The slot of the word's name.
        let slot: UInt32
        /// The start of the word in `letters`.
        let place: UInt32
    }

    /// Calls `body` with the memory from which a search reads names. It is valid only during the call.
    func withMemory(_ body: (Memory) -> Void) {
        letters.withUnsafeBufferPointer { letters in
            ends.withUnsafeBufferPointer { ends in
                pairs.withUnsafeBufferPointer { pairs in
                    wordStarts.withUnsafeBufferPointer { wordStarts in
                        words.withUnsafeBufferPointer { words in
                            heads.bits.withUnsafeBufferPointer { heads in
                                body(
                                    Memory(
                                        letters: letters,
                                        ends: ends,
                                        pairs: pairs,
                                        wordStarts: wordStarts,
                                        words: words,
                                        heads: heads
                                    )
                                )
                            }
                        }
                    }
                }
            }
        }
    }

    /// The memory of the search forms, valid only during a call of `withMemory`.
    struct Memory {
        let letters: UnsafeBufferPointer<UInt8>
        fileprivate let ends: UnsafeBufferPointer<UInt32>
        fileprivate let pairs: UnsafeBufferPointer<LetterPairs>
        fileprivate let wordStarts: UnsafeBufferPointer<UInt64>
        fileprivate let words: UnsafeBufferPointer<Word>
        fileprivate let heads: UnsafeBufferPointer<WordHeads.Bits>
    }
}

extension SearchForms.Memory {
    /// Returns the range of a name's letters in `letters`.
    @inline(__always)
    func range(_ slot: Int) -> Range<Int> {
        Range(uncheckedBounds: (slot == 0 ? 0 : Int(ends[slot - 1]), Int(ends[slot])))
    }

    @inline(__always)
    func isWordStart(_ place: Int) -> Bool {
        wordStarts[place >> 6] & 1 << UInt64(place & 63) != 0
    }

    /// Returns the eight bytes from a place on, the first in the lowest bits.
    @inline(__always)
    func bytes(_ place: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawBufferPointer(letters).loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }

    /// Calls `body` with the slot of each name that may contain all the pairs.
    @inline(__always)
    func forEachName(holding sought: LetterPairs, _ body: (_ slot: Int) -> Void) {
        var first = 0
        while first < pairs.count {
            // The loop runs backwards, so that each bit takes one shift.
            var slot = min(first + 64, pairs.count)
            var candidates: UInt64 = 0
            while slot > first {
                slot &-= 1
                candidates = candidates << 1 | (pairs[slot].mayHold(sought) ? 1 : 0)
            }
            while candidates != 0 {
                body(first + candidates.trailingZeroBitCount)
                candidates &= candidates &- 1
            }
            first += 64
        }
    }

    /// Calls `body` with each word that passes the filter, in order.
    @inline(__always)
    func forEachWord(_ filter: WordHeadFilter, _ body: (SearchForms.Word) -> Void) {
        withUnsafeTemporaryAllocation(of: SearchForms.Word.self, capacity: words.count) { found in
            for word in found[..<find(filter, found)] { body(word) }
        }
    }

    /// Writes the words that pass the filter to `found`.
    ///
    /// - Returns: The number of these words.
    private func find(_ filter: WordHeadFilter, _ found: UnsafeMutableBufferPointer<SearchForms.Word>) -> Int {
        guard let letters = letters.baseAddress else { return 0 }
        let groupCount = heads.count / WordHeads.bitsPerGroup
        return withUnsafeTemporaryAllocation(of: WordHeads.Bits.self, capacity: groupCount) { groups in
            filter.find(in: heads, groups)
            var count = 0
            for (number, group) in groups.enumerated() {
                for half in 0..<2 {
                    var bits = group[half]
                    while bits != 0 {
                        let word = words[number * WordHeads.groupSize + half * 64 + bits.trailingZeroBitCount]
                        // The letters are loaded into the cache before they are compared.
                        marvel_prefetch(letters + Int(word.place))
                        found.initializeElement(at: count, to: word)
                        count += 1
                        bits &= bits &- 1
                    }
                }
            }
            return count
        }
    }
}
