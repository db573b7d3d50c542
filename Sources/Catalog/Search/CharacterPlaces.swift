/// In which block each character lies, by its id.
///
/// What was laid out first is shared by all indexes that come of it. What an edit moves to another block is kept beside
/// it, so that an edit among a million characters costs what its own block costs.
struct CharacterPlaces: Sendable {
    /// Of each character, as it was laid out first.
    private let positions: [Int64: UInt32]
    /// Where each block began then.
    private let starts: [Int]
    /// The key of the block to which a character has moved since; nil: it is gone.
    private var moved: [Int64: Int?] = [:]
    /// The keys of all blocks, in their order. A block that is laid out anew keeps its key.
    private(set) var keys: [Int]
    /// The other way round: which block has a key now.
    private var blocks: [Int: Int]

    init(of blocks: [CharacterBlock]) {
        var starts: [Int] = []
        var positions: [Int64: UInt32] = [:]
        positions.reserveCapacity(blocks.reduce(0) { $0 + $1.count })
        var position = 0
        for block in blocks {
            starts.append(position)
            for id in block.characters.ids {
                positions[id] = UInt32(position)
                position += 1
            }
        }
        self.positions = positions
        self.starts = starts
        self.keys = Array(blocks.indices)
        self.blocks = [:]
    }

    /// The block that holds a character, and the slot where it was laid out first; nil if there is no such character.
    func place(of id: Int64) -> (block: Int, slot: Int)? {
        // Nearly every catalog: nothing was edited.
        if !moved.isEmpty, let key = moved[id] {
            return key.flatMap { blocks[$0] }.map { ($0, 0) }
        }
        guard let position = positions[id].map(Int.init) else { return nil }
        let key = partitionPoint(0..<starts.count) { starts[$0] > position } - 1
        let slot = position - starts[key]
        return blocks.isEmpty ? (key, slot) : blocks[key].map { ($0, slot) }
    }
}

extension CharacterPlaces {
    /// A key that no block has had.
    var nextKey: Int { max(starts.count, (keys.max() ?? -1) + 1) }

    /// The characters lie in the block with that key now; nil: they are gone.
    mutating func move(_ ids: some Sequence<Int64>, to key: Int?) {
        for id in ids { moved.updateValue(key, forKey: id) }
    }

    /// The blocks are now those with these keys, in this order.
    mutating func setKeys(_ keys: [Int]) {
        self.keys = keys
        blocks = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
    }
}
