/// The search forms of a block's names in a few pieces of memory, with what lets a search pass over nearly all of them:
/// SUBSTRING reads 8 bytes of most names, the others 8 bytes of most words.
struct SearchForms: Sendable {
    /// The letters of all names, and behind them some zeros, so that 24 bytes can be read at every letter.
    private let letters: [UInt8]
    /// Where the letters of each name end.
    private let ends: [UInt32]
    private let pairs: [LetterPairs]
    /// A bit for each byte of `letters`: whether a word begins there.
    private let wordStarts: [UInt64]
    /// The heads of all words (`WordHead`), as `WordHeadFilter` compares them: zeros fill the last group.
    private let heads: [WordHeadFilter.Letters]
    /// The number of the first word behind each name.
    private let wordEnds: [UInt32]

    init(_ foldedNames: PackedTexts) {
        var builder = SearchFormsBuilder(names: foldedNames.count, bytes: foldedNames.byteCount)
        foldedNames.forEach { builder.append($0) }
        letters = builder.letters
        ends = builder.ends
        pairs = builder.pairs
        wordStarts = builder.wordStarts
        heads = builder.heads
        wordEnds = builder.wordEnds
    }

    /// Lends the memory: what a search reads names from.
    func withMemory(_ body: (Memory) -> Void) {
        letters.withUnsafeBufferPointer { letters in
            ends.withUnsafeBufferPointer { ends in
                pairs.withUnsafeBufferPointer { pairs in
                    wordStarts.withUnsafeBufferPointer { wordStarts in
                        heads.withUnsafeBufferPointer { heads in
                            wordEnds.withUnsafeBufferPointer { wordEnds in
                                body(
                                    Memory(
                                        letters: letters,
                                        ends: ends,
                                        pairs: pairs,
                                        wordStarts: wordStarts,
                                        heads: heads,
                                        wordEnds: wordEnds
                                    )
                                )
                            }
                        }
                    }
                }
            }
        }
    }

    /// Valid as long as it is lent.
    struct Memory {
        let letters: UnsafeBufferPointer<UInt8>
        fileprivate let ends: UnsafeBufferPointer<UInt32>
        fileprivate let pairs: UnsafeBufferPointer<LetterPairs>
        fileprivate let wordStarts: UnsafeBufferPointer<UInt64>
        fileprivate let heads: UnsafeBufferPointer<WordHeadFilter.Letters>
        fileprivate let wordEnds: UnsafeBufferPointer<UInt32>
    }
}

extension SearchForms.Memory {
    /// Where in `letters` a name's are.
    @inline(__always)
    func range(_ slot: Int) -> Range<Int> {
        Range(uncheckedBounds: (slot == 0 ? 0 : Int(ends[slot - 1]), Int(ends[slot])))
    }

    @inline(__always)
    func isWordStart(_ place: Int) -> Bool {
        wordStarts[place >> 6] & 1 << UInt64(place & 63) != 0
    }

    /// The eight bytes from there on, the first in the lowest bits.
    @inline(__always)
    func bytes(_ place: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawBufferPointer(letters).loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }

    /// Calls `body` with the slot of each name that may hold all the pairs.
    @inline(__always)
    func forEachName(holding sought: LetterPairs, _ body: (_ slot: Int) -> Void) {
        var first = 0
        while first < pairs.count {
            // Backwards, so that a bit is one shift.
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

    /// Calls `body` with each word that may be what is sought: its name's slot, and its place in `letters`.
    @inline(__always)
    func forEachWord(
        _ filter: WordHeadFilter,
        allowedMistakes: Int,
        _ body: (_ slot: Int, _ place: Int) -> Void
    ) {
        var slot = 0
        filter.forEachWord(in: heads, allowedMistakes: allowedMistakes) { word in
            slot = self.slot(ofWord: word, from: slot)
            body(slot, place(ofWord: word, in: slot))
        }
    }

    private func slot(ofWord word: Int, from first: Int) -> Int {
        // Most often the next one is near.
        var (low, step) = (first, 1)
        while low + step < wordEnds.count, wordEnds[low + step] <= word {
            low += step
            step *= 2
        }
        return partitionPoint(low..<min(low + step, wordEnds.count)) { wordEnds[$0] > word }
    }

    private func place(ofWord word: Int, in slot: Int) -> Int {
        var before = word - (slot == 0 ? 0 : Int(wordEnds[slot - 1]))
        let first = range(slot).lowerBound
        var group = first >> 6
        // What lies before the name is masked away.
        var bits = wordStarts[group] & ~0 << UInt64(first & 63)
        while true {
            let count = bits.nonzeroBitCount
            if before < count { break }
            before -= count
            group += 1
            bits = wordStarts[group]
        }
        for _ in 0..<before { bits &= bits &- 1 }
        return group << 6 | bits.trailingZeroBitCount
    }
}
