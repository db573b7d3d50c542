internal import MarvelDomain
internal import NIOCore

/// Characters in the total order of names (folded name, then name, then id), encoded side by side.
///
///     positions   0 … 2047      2048 … 4095    4096 …
///     blocks      [ bytes ]     [ bytes ]      [ bytes ]
///
/// The names that begin with a prefix are one run of positions, found by two binary searches, over the blocks and then
/// inside one: the cost hardly depends on the catalog's size. A page of them is one slice of a block, or few. The other
/// matches look at every name (`NameSearch`), block by block.
struct CharacterIndex: Sendable {
    let blocks: [CharacterBlock]
    /// The position of each block's first character, and behind them the number of all.
    let starts: [Int]
    let places: CharacterPlaces
    /// The head of each block's first name: most searches find their block in these few numbers.
    private let firstHeads: [UInt64]

    init(blocks: [CharacterBlock]) {
        self.init(blocks: blocks, places: CharacterPlaces(of: blocks))
    }

    init(blocks: [CharacterBlock], places: CharacterPlaces) {
        var starts = [0]
        starts.reserveCapacity(blocks.count + 1)
        for block in blocks { starts.append(starts[starts.count - 1] + block.count) }
        self.blocks = blocks
        self.starts = starts
        self.places = places
        self.firstHeads = blocks.map(\.firstHead)
    }

    var count: Int { starts[starts.count - 1] }

    /// The positions of all names that begin with `prefix`.
    func range(withPrefix prefix: FoldedName) -> Range<Int> {
        prefix.utf8.withUnsafeBufferPointer { range(withFoldedPrefix: $0) }
    }

    /// The positions of all names that begin with a prefix, folded as `FoldedName` does it.
    func range(withFoldedPrefix prefix: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let prefix = FoldedPrefix(prefix)
        return position(of: prefix, isBehind: false)..<position(of: prefix, isBehind: true)
    }

    /// The encoded characters at these positions, and what lies in further blocks.
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

    func position(ofID id: Int64) -> Int? {
        place(ofID: id).map { starts[$0.block] + $0.slot }
    }

    /// The character as one element of the field `characters` of `SearchCharactersResponse`.
    func encodedElement(id: Int64) -> ByteBuffer? {
        guard let place = place(ofID: id) else { return nil }
        return blocks[place.block].run(place.slot..<place.slot + 1).encoded
    }

    /// In which block a character lies, and where there.
    func place(ofID id: Int64) -> (block: Int, slot: Int)? {
        guard let place = places.place(of: id) else { return nil }
        return blocks[place.block].slot(of: id, near: place.slot).map { (place.block, $0) }
    }

    private func run(_ range: Range<Int>, in block: Int) -> EncodedCharacters.Run {
        let start = starts[block]
        return blocks[block].run(range.clamped(to: start..<starts[block + 1]).shifted(by: -start))
    }

    func block(holding position: Int) -> Int {
        partitionPoint(0..<blocks.count) { starts[$0] > position } - 1
    }

    /// Where the names with that prefix begin, or where the names behind them begin.
    private func position(of prefix: FoldedPrefix, isBehind: Bool) -> Int {
        // The last block whose first name lies before the place has the place inside it, or right behind its end.
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
    fileprivate func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}
