internal import MarvelDomain

/// An index of encoded characters in the total order of names (folded name, then name, then id).
///
///     positions   0 … 2047      2048 … 4095    4096 …
///     blocks      [ bytes ]     [ bytes ]      [ bytes ]
///
/// The names that begin with a prefix are one range of positions. Binary search finds both ends, first over the blocks
/// and then inside one. A page of such names is one slice of a block, or a few. `WordOrder` tells the blocks with words that
/// begin with a text. The other ways to match compare every name (`NameSearch`), block by block.
///
/// It is a class, because copies of so many arrays took a fifteenth of a suggestion's time.
final class CharacterIndex: Sendable {
    let blocks: [CharacterBlock]
    let starts: [Int]
    private let positions: [Int64: UInt32]
    /// The head of each block's first name. Most searches find their block by these numbers alone.
    private let firstHeads: [UInt64]
    private let words: WordOrder

    convenience init(blocks: [CharacterBlock]) {
        self.init(blocks: blocks, words: WordOrder.init)
    }

    /// The index after an edit replaced some of its blocks.
    func replacingBlocks(with blocks: [CharacterBlock]) -> CharacterIndex {
        CharacterIndex(blocks: blocks) { WordOrder($0, starts: $1, editing: words, of: self.blocks) }
    }

    private init(
        blocks: [CharacterBlock],
        words: (_ blocks: [CharacterBlock], _ starts: [Int]) -> WordOrder
    ) {
        var starts = [0]
        starts.reserveCapacity(blocks.count + 1)
        var positions: [Int64: UInt32] = [:]
        positions.reserveCapacity(blocks.reduce(0) { $0 + $1.count })
        for block in blocks {
            for id in block.characters.ids { positions[id] = UInt32(positions.count) }
            starts.append(starts[starts.count - 1] + block.count)
        }
        self.blocks = blocks
        self.starts = starts
        self.positions = positions
        self.firstHeads = blocks.map(\.firstHead)
        self.words = words(blocks, starts)
    }

    var count: Int { starts[starts.count - 1] }

    /// Returns the positions of all names that begin with `prefix`.
    func range(withPrefix prefix: FoldedName) -> Range<Int> {
        prefix.utf8.withUnsafeBufferPointer { range(withFoldedPrefix: $0) }
    }

    /// Returns the positions of all names that begin with a prefix, which must be folded like a `FoldedName`.
    func range(withFoldedPrefix prefix: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let prefix = FoldedPrefix(prefix)
        return position(of: prefix, isBehind: false)..<position(of: prefix, isBehind: true)
    }

    func runs(_ range: Range<Int>) -> (first: EncodedCharacters.Run, rest: [EncodedCharacters.Run]) {
        guard !range.isEmpty else { return (.empty, []) }
        var block = self.block(holding: range.lowerBound)
        let first = run(range, in: block)
        var rest: [EncodedCharacters.Run] = []
        while starts[block + 1] < range.upperBound {
            block += 1
            rest.append(run(range, in: block))
        }
        return (first, rest)
    }

    func position(ofID id: Int64) -> Int? { positions[id].map(Int.init) }

    func id(at position: Int) -> Int64 {
        let block = block(holding: position)
        return blocks[block].characters.ids[position - starts[block]]
    }

    func place(ofID id: Int64) -> (block: Int, slot: Int)? {
        guard let position = position(ofID: id) else { return nil }
        let block = block(holding: position)
        return (block, position - starts[block])
    }

    /// Returns the places, in the order of all words, of those that begin with the first eight bytes of `letters`.
    func places(ofWordsBeginningWith letters: [UInt8]) -> Range<Int> { words.places(ofWordsBeginningWith: letters) }

    /// Calls `body` with the character of each word that begins with the letters, in no order. It may call it several
    /// times for one character.
    func forEachName(
        withWordsAt places: Range<Int>,
        beginningWith letters: [UInt8],
        _ body: (ComicsRanking.Key) -> Void
    ) {
        guard letters.count > PackedTexts.headByteCount else { return words.forEachRankingKey(at: places, body) }
        words.forEachRankingKey(at: places) { key in
            let block = self.block(holding: key.position)
            if blocks[block].searchForms.hasWord(letters, slot: key.position - starts[block]) { body(key) }
        }
    }

    /// Returns the blocks that may have words that begin with the letters, in ascending order.
    func blocks(mayHaveWordsBeginningWith letters: [UInt8]) -> [Int] {
        var isFound = [Bool](repeating: false, count: blocks.count)
        words.forEachRankingKey(at: places(ofWordsBeginningWith: letters)) { key in
            isFound[block(holding: key.position)] = true
        }
        return blocks.indices.filter { isFound[$0] }
    }

    private func run(_ range: Range<Int>, in block: Int) -> EncodedCharacters.Run {
        let start = starts[block]
        return blocks[block].run(range.clamped(to: start..<starts[block + 1]).shifted(by: -start))
    }

    func block(holding position: Int) -> Int {
        partitionPoint(0..<blocks.count) { starts[$0] > position } - 1
    }

    private func position(of prefix: FoldedPrefix, isBehind: Bool) -> Int {
        // The last block whose first name is before the position contains the position, or ends at it.
        let block = blocksBegun(before: prefix, isBehind: isBehind) - 1
        return block < 0 ? 0 : starts[block] + blocks[block].place(of: prefix, isBehind: isBehind)
    }

    private func blocksBegun(before prefix: FoldedPrefix, isBehind: Bool) -> Int {
        if prefix.isDecidedByHead {
            let (first, last) = (prefix.firstHead, prefix.lastHead)
            return isBehind
                ? partitionPoint(0..<firstHeads.count) { firstHeads[$0] > last }
                : partitionPoint(0..<firstHeads.count) { firstHeads[$0] >= first }
        }
        let least = isBehind ? 1 : 0
        return partitionPoint(0..<blocks.count) { blocks[$0].foldedNames.order(0, toPrefix: prefix.utf8) >= least }
    }
}

extension Range<Int> {
    func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}
