internal import MarvelDomain

/// An index of encoded characters in the total order of names (folded name, then name, then id).
///
///     positions   0 … 2047      2048 … 4095    4096 …
///     blocks      [ bytes ]     [ bytes ]      [ bytes ]
///
/// The names that begin with a prefix are one range of positions, found by binary search. `WordOrder` tells the blocks
/// with words that begin with a text. Other searches compare every name (`NameSearch`).
///
/// It is a class, because copies of so many arrays took a fifteenth of a suggestion's time.
final class CharacterIndex: Sendable {
    let blocks: [CharacterBlock]
    let starts: [Int]
    /// The block of every 64th position: the search for a block begins there.
    private let blocksOfPositions: [UInt32]
    private let positions: [Int64: UInt32]
    private let sample: HeadSample
    private let words: WordOrder

    convenience init(blocks: [CharacterBlock]) {
        self.init(blocks: blocks, words: WordOrder.init)
    }

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
        var block = 0
        blocksOfPositions = stride(from: 0, to: starts[starts.count - 1], by: Self.positionsPerEntry).map { position in
            while starts[block + 1] <= position { block += 1 }
            return UInt32(block)
        }
        self.positions = positions
        sample = HeadSample(of: blocks, starts: starts)
        self.words = words(blocks, starts)
    }

    var count: Int { starts[starts.count - 1] }

    /// Returns the positions of all names that begin with a prefix, which must be folded like a `FoldedName`.
    func range(withFoldedPrefix prefix: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let prefix = FoldedPrefix(prefix)
        let first = sample.stretch(from: 0) { $0 >= prefix.firstHead }
        let last = sample.stretch(from: first.number) { $0 > prefix.lastHead }
        let start = position(in: first.positions) { $0 >= prefix.firstHead }
        let end = position(in: last.positions) { $0 > prefix.lastHead }
        guard !prefix.isDecidedByHead else { return start..<end }
        let least = partitionPoint(start..<end) { order($0, toPrefix: prefix.utf8) >= 0 }
        return least..<partitionPoint(least..<end) { order($0, toPrefix: prefix.utf8) > 0 }
    }

    /// The end of the stretch without one.
    private func position(in stretch: Range<Int>, _ isBehind: (UInt64) -> Bool) -> Int {
        guard !stretch.isEmpty else { return stretch.lowerBound }
        let block = self.block(holding: stretch.lowerBound)
        let start = starts[block]
        return start + blocks[block].slot(in: stretch.shifted(by: -start), isBehind)
    }

    private func order(_ position: Int, toPrefix prefix: UnsafeBufferPointer<UInt8>) -> Int {
        let block = self.block(holding: position)
        return blocks[block].foldedNames.order(position - starts[block], toPrefix: prefix)
    }

    func runs(_ range: Range<Int>) -> CharacterRuns {
        guard !range.isEmpty else { return .empty }
        var block = self.block(holding: range.lowerBound)
        var runs = CharacterRuns(run(range, in: block))
        while starts[block + 1] < range.upperBound {
            block += 1
            runs.append(run(range, in: block))
        }
        return runs
    }

    func position(ofID id: Int64) -> Int? { positions[id].map(Int.init) }

    func id(at position: Int) -> Int64 {
        let block = block(holding: position)
        return blocks[block].characters.id(position - starts[block])
    }

    typealias Place = (block: Int, slot: Int)

    func place(ofID id: Int64) -> Place? { position(ofID: id).map { place(at: $0) } }

    func place(at position: Int) -> Place {
        let block = block(holding: position)
        return (block, position - starts[block])
    }

    /// In the order of all words. Compares the first eight bytes of `letters`.
    func places(ofWordsBeginningWith letters: [UInt8]) -> Range<Int> { words.places(ofWordsBeginningWith: letters) }

    /// In no order. It may call `body` several times for one character.
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

    /// In ascending order.
    func blocks(mayHaveWordsBeginningWith letters: [UInt8]) -> [Int] {
        var isFound = [Bool](repeating: false, count: blocks.count)
        words.forEachRankingKey(at: places(ofWordsBeginningWith: letters)) { key in
            isFound[block(holding: key.position)] = true
        }
        return blocks.indices.filter { isFound[$0] }
    }

    private func run(_ range: Range<Int>, in block: Int) -> EncodedCharacters.Run {
        let start = starts[block]
        let run = blocks[block].run(range.clamped(to: start..<starts[block + 1]).shifted(by: -start))
        run.prefetch()
        return run
    }

    private static let positionsPerEntry = 64

    func block(holding position: Int) -> Int {
        var block = Int(blocksOfPositions[position / Self.positionsPerEntry])
        while starts[block + 1] <= position { block += 1 }
        return block
    }
}

/// The head of every 32nd name of each block, and of its first name.
private struct HeadSample: Sendable {
    private static let distance = 32

    private var heads: [UInt64] = []
    private var positions: [UInt32] = []

    init(of blocks: [CharacterBlock], starts: [Int]) {
        for (block, start) in zip(blocks, starts) {
            for slot in stride(from: 0, to: block.count, by: Self.distance) {
                heads.append(block.head(slot))
                positions.append(UInt32(start + slot))
            }
        }
        positions.append(UInt32(starts[starts.count - 1]))
    }

    /// `first` is the number of a sampled name that is not behind the one wanted, or 0. The name is in the stretch, or
    /// at its end.
    @inline(__always)
    func stretch(from first: Int, _ isBehind: (UInt64) -> Bool) -> (number: Int, positions: Range<Int>) {
        let next = heads.withUnsafeBufferPointer { heads in
            // Few names begin with most prefixes.
            var step = 1
            while first > 0, first + step < heads.count, !isBehind(heads[first + step]) { step *= 2 }
            let end = first > 0 ? min(first + step, heads.count) : heads.count
            return partitionPoint(first > 0 ? first + step / 2..<end : first..<end) { isBehind(heads[$0]) }
        }
        guard next > 0 else { return (0, 0..<0) }
        return (next - 1, Int(positions[next - 1])..<Int(positions[next]))
    }
}

extension Range<Int> {
    func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}
