/// The words of all names, by their first letters.
///
/// A word's head is that of the letters from the word to the end of its name (`PackedTexts.head`). All are in one array:
/// most words are in many blocks, and to look in each took most of a suggestion's time.
struct WordIndex: Sendable {
    private struct Word: BitwiseCopyable {
        let head: UInt64
        let position: UInt32
        let comics: Int32
    }

    /// Sorted by the heads.
    private var words: [Word] = []

    init(_ blocks: [CharacterBlock], starts: [Int]) {
        words.reserveCapacity(blocks.reduce(0) { $0 + $1.searchForms.wordCount })
        for (block, start) in zip(blocks, starts) {
            block.searchForms.forEachWordSorted { head, slot in
                words.append(Word(head: head, position: UInt32(start + slot), comics: block.comicCounts[slot]))
            }
        }
        // The words of each block are sorted already, so they are only merged.
        words.sort { $0.head < $1.head }
    }

    /// Returns the number of words that `forEach` finds.
    func count(beginningWith text: [UInt8]) -> Int { places(beginningWith: text).count }

    /// Calls `body` with the position and the comics of each name in which a word begins with the first letters of the
    /// text, as far as they are in a head.
    func forEach(beginningWith text: [UInt8], _ body: (_ position: Int, _ comics: Int32) -> Void) {
        for word in words[places(beginningWith: text)] { body(Int(word.position), word.comics) }
    }

    private func places(beginningWith text: [UInt8]) -> Range<Int> {
        let (first, last) = text.withUnsafeBufferPointer {
            let prefix = FoldedPrefix($0)
            return (prefix.firstHead, prefix.lastHead)
        }
        return words.withUnsafeBufferPointer { words in
            let start = partitionPoint(0..<words.count) { words[$0].head >= first }
            return start..<partitionPoint(start..<words.count) { words[$0].head > last }
        }
    }
}
