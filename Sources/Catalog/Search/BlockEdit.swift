internal import NIOCore

/// The changes of one block by an edit.
struct BlockEdit {
    /// The slots of the characters to remove.
    var removed: Set<Int> = []
    /// The characters to add, in the order of names. They belong after the block's first character; in the first block
    /// they may also belong before it.
    var added: [EncodedCharacter] = []

    /// Applies the edit to a block.
    ///
    /// - Returns: The contents after the edit, in order, split into parts within the limits; no parts if nothing is
    ///   left.
    func parts(of block: CharacterBlock, _ limits: CharacterIndex.BlockLimits) -> [BlockPart] {
        var members: [BlockPart.Member] = []
        members.reserveCapacity(block.count + added.count)
        var slot = 0
        func keep(upTo end: Int) {
            while slot < end {
                if !removed.contains(slot) { members.append(.kept(slot)) }
                slot += 1
            }
        }
        for character in added {
            keep(upTo: partitionPoint(slot..<block.count) { !block.precedes($0, character) })
            members.append(.added(character))
        }
        keep(upTo: block.count)
        return members.isEmpty ? [] : BlockPart(members: members).split(limits, of: block)
    }
}

/// The characters of a new block: some are copied from an old block, and some are new.
struct BlockPart {
    enum Member {
        /// A character at this slot of the old block.
        case kept(Int)
        case added(EncodedCharacter)
    }

    let members: [Member]

    /// Returns the ids of all members; if `addedOnly`, only those that are not in the old block, `block`.
    func ids(of block: CharacterBlock, addedOnly: Bool) -> [Int64] {
        members.compactMap { member in
            switch member {
            case .kept(let slot): addedOnly ? nil : block.characters.ids[slot]
            case .added(let character): character.id
            }
        }
    }

    /// Splits the part in halves until each has at most 1.5 times the limits. A full block can grow a little before it
    /// is split.
    fileprivate func split(_ limits: CharacterIndex.BlockLimits, of block: CharacterBlock) -> [BlockPart] {
        let byteCount = members.reduce(0) { $0 + $1.byteCount(in: block) }
        let isTooLarge = members.count > limits.characters * 3 / 2 || byteCount > limits.bytes * 3 / 2
        guard isTooLarge, members.count > 1 else { return [self] }
        let middle = members.count / 2
        return [members[..<middle], members[middle...]].flatMap { half in
            BlockPart(members: Array(half)).split(limits, of: block)
        }
    }
}

extension BlockPart.Member {
    fileprivate func byteCount(in block: CharacterBlock) -> Int {
        switch self {
        case .kept(let slot): block.run(slot..<slot + 1).byteCount
        case .added(let character): character.bytes.readableBytes
        }
    }
}

extension CharacterBlock {
    /// Creates a block from a part. `block` is the old block from which some members are copied.
    convenience init(_ part: BlockPart, of block: CharacterBlock) {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(part.members.reduce(0) { $0 + $1.byteCount(in: block) })
        var offsets: [UInt32] = [0]
        offsets.reserveCapacity(part.members.count + 1)
        var foldedNames = PackedTexts()
        var comicCounts: [Int32] = []
        comicCounts.reserveCapacity(part.members.count)
        for member in part.members {
            switch member {
            case .kept(let slot):
                bytes.writeImmutableBuffer(block.run(slot..<slot + 1).encoded)
                foldedNames.append(block.foldedNames[slot])
                comicCounts.append(block.comicCounts[slot])
            case .added(let character):
                bytes.writeImmutableBuffer(character.bytes)
                foldedNames.append(character.foldedName)
                comicCounts.append(character.comicCount)
            }
            offsets.append(UInt32(bytes.writerIndex))
        }
        let ids = part.ids(of: block, addedOnly: false)
        self.init(
            characters: EncodedCharacters(encoded: bytes, offsets: offsets, ids: ids),
            foldedNames: foldedNames,
            comicCounts: comicCounts
        )
    }
}
