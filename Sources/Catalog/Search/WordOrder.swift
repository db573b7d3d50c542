/// The words of all names in the order of their first letters, each with the rank of its character.
///
/// The words that begin with a text of at most eight bytes are one range, and are ranked by its bytes alone. Those of a
/// longer text are among the words of a range.
struct WordOrder: Sendable {
    struct Entry: BitwiseCopyable {
        /// The first bytes of the letters from the word to the end of its name (`PackedTexts.head`).
        let head: UInt64
        /// The rank of the character.
        let rankingKey: ComicsRanking.Key
    }

    private var entries: [Entry] = []

    init(_ blocks: [CharacterBlock], starts: [Int]) {
        entries.reserveCapacity(blocks.reduce(0) { $0 + $1.searchForms.wordCount })
        for (block, start) in zip(blocks, starts) { block.appendWords(to: &entries, start: start) }
        // The sort of the standard library finds the sorted parts, and merges them.
        entries.sort { $0.head < $1.head }
    }

    /// Takes over the entries of blocks that an edit did not replace: sorting a million names would take too long.
    init(_ blocks: [CharacterBlock], starts: [Int], editing old: WordOrder, of oldBlocks: [CharacterBlock]) {
        var newStarts = Dictionary(uniqueKeysWithValues: zip(blocks.map(ObjectIdentifier.init), starts))
        // The ranges of old positions that move by the same distance, in ascending order; nil if they are replaced.
        var moves: [(end: Int, distance: Int?)] = []
        var start = 0
        for block in oldBlocks {
            let distance = newStarts.removeValue(forKey: ObjectIdentifier(block)).map { $0 - start }
            start += block.count
            if let last = moves.last, last.distance == distance { moves.removeLast() }
            moves.append((start, distance))
        }
        var added: [Entry] = []
        for (block, start) in zip(blocks, starts) where newStarts[ObjectIdentifier(block)] != nil {
            block.appendWords(to: &added, start: start)
        }
        added.sort { $0.head < $1.head }
        entries.reserveCapacity(blocks.reduce(0) { $0 + $1.searchForms.wordCount })
        var rest = added[...]
        for entry in old.entries {
            let position = entry.rankingKey.position
            guard let distance = moves[partitionPoint(0..<moves.count) { moves[$0].end > position }].distance
            else { continue }
            while let next = rest.first, next.head < entry.head { entries.append(rest.removeFirst()) }
            entries.append(Entry(head: entry.head, rankingKey: entry.rankingKey.moved(by: distance)))
        }
        entries += rest
    }

    /// Returns the places of all words that begin with the first eight bytes of `letters`.
    func places(ofWordsBeginningWith letters: [UInt8]) -> Range<Int> {
        letters.withUnsafeBufferPointer { letters in
            let prefix = FoldedPrefix(letters)
            return entries.withUnsafeBufferPointer { entries in
                let first = partitionPoint(0..<entries.count) { entries[$0].head >= prefix.firstHead }
                // Few words begin with most texts.
                var step = 1
                while first + step < entries.count, entries[first + step].head <= prefix.lastHead { step *= 2 }
                let last = min(first + step, entries.count)
                return first..<partitionPoint(first + step / 2..<last) { entries[$0].head > prefix.lastHead }
            }
        }
    }

    @inline(__always)
    func forEachRankingKey(at places: Range<Int>, _ body: (ComicsRanking.Key) -> Void) {
        for entry in entries[places] { body(entry.rankingKey) }
    }
}
