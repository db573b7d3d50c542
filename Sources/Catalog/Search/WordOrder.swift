/// The words of all names in the order of their first letters. A text of at most eight bytes is one range; the words of
/// a longer text are among those of a range.
struct WordOrder: Sendable {
    struct Entry: BitwiseCopyable {
        /// `PackedTexts.head` of the letters from the word to the end of its name.
        let head: UInt64
        let rankingKey: ComicsRanking.Key
    }

    private var entries: [Entry] = []

    init(_ blocks: [CharacterBlock], starts: [Int]) {
        entries.reserveCapacity(blocks.reduce(0) { $0 + $1.searchForms.wordCount })
        for (block, start) in zip(blocks, starts) { block.appendWords(to: &entries, start: start) }
        // The sort of the standard library finds the sorted parts, and merges them.
        entries.sort { $0.head < $1.head }
    }

    /// Keeps the entries of unchanged blocks: sorting a million names would take too long.
    init(_ blocks: [CharacterBlock], starts: [Int], editing old: WordOrder, of oldBlocks: [CharacterBlock]) {
        var newStarts = Dictionary(uniqueKeysWithValues: zip(blocks.map(ObjectIdentifier.init), starts))
        // Ranges of old positions, in ascending order; nil if they are replaced.
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

    func places(ofWordsBeginningWith letters: [UInt8]) -> Range<Int> {
        letters.withUnsafeBufferPointer { letters in
            let prefix = FoldedPrefix(letters)
            return entries.withUnsafeBufferPointer { entries in
                let first = partitionPoint(0..<entries.count) { entries[$0].head >= prefix.firstHead }
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
