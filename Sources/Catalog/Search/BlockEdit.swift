internal import NIOCore

/// What an edit does to one block.
struct BlockEdit {
    /// The slots whose characters leave.
    var removed: Set<Int> = []
    /// What comes, in the order of names. It belongs behind the first character of the block, or it is the first block.
    var added: [EncodedCharacter] = []

    /// What the block holds after the edit, in order, in as many parts as the limits ask for: none if it is empty.
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

/// Characters that are to be one block: some that another block holds, and some that are new.
struct BlockPart {
    enum Member {
        /// At that slot of the other block.
        case kept(Int)
        case added(EncodedCharacter)
    }

    let members: [Member]

    /// The ids of all members; or of those alone that are not in the other block, `block`, already.
    func ids(of block: CharacterBlock, addedOnly: Bool) -> [Int64] {
        members.compactMap { member in
            switch member {
            case .kept(let slot): addedOnly ? nil : block.characters.ids[slot]
            case .added(let character): character.id
            }
        }
    }

    /// In halves, as long as they are larger than the limits by half: a block that was full has room for some more.
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
    /// Lays out what a part holds of `block` and beside it.
    convenience init(_ part: BlockPart, of block: CharacterBlock) {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(part.members.reduce(0) { $0 + $1.byteCount(in: block) })
        var offsets: [UInt32] = [0]
        offsets.reserveCapacity(part.members.count + 1)
        var foldedNames = PackedTexts()
        for member in part.members {
            switch member {
            case .kept(let slot):
                bytes.writeImmutableBuffer(block.run(slot..<slot + 1).encoded)
                foldedNames.append(block.foldedNames[slot])
            case .added(let character):
                bytes.writeImmutableBuffer(character.bytes)
                foldedNames.append(character.foldedName)
            }
            offsets.append(UInt32(bytes.writerIndex))
        }
        let ids = part.ids(of: block, addedOnly: false)
        self.init(
            characters: EncodedCharacters(encoded: bytes, offsets: offsets, ids: ids),
            foldedNames: foldedNames
        )
    }
}
