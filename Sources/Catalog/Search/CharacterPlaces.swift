/// A map from the ids of characters to their blocks.
///
/// The places of the original index are shared by all indexes that edits make from it. Characters that an edit moves to
/// another block are kept in a separate map, so that the cost of an edit does not depend on the number of characters.
struct CharacterPlaces: Sendable {
    /// The position of each character in the original index.
    private let positions: [Int64: UInt32]
    /// The start of each block in the original index.
    private let starts: [Int]
    /// The key of the block to which a character was moved; nil if the character was removed.
    private var moved: [Int64: Int?] = [:]
    /// The keys of all blocks, in their order. A block that is built anew keeps its key.
    private(set) var keys: [Int]
    /// The numbers of the blocks by their keys.
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

    /// Returns the block of a character, and its slot in the original index; nil if there is no such character.
    func place(of id: Int64) -> (block: Int, slot: Int)? {
        // In nearly every catalog nothing was edited, so that this map is empty.
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
    /// A key that no block has had before.
    var nextKey: Int { max(starts.count, (keys.max() ?? -1) + 1) }

    /// Moves characters to the block with a key; nil removes them.
    mutating func move(_ ids: some Sequence<Int64>, to key: Int?) {
        for id in ids { moved.updateValue(key, forKey: id) }
    }

    /// Sets the keys of all blocks, in their order.
    mutating func setKeys(_ keys: [Int]) {
        self.keys = keys
        blocks = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
    }
}
