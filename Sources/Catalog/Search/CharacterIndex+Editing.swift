internal import MarvelDomain

extension CharacterIndex {
    /// The same index with some characters added, in the place of others, or taken out. Only the blocks that this
    /// touches are laid out anew; who holds this index sees nothing of it.
    ///
    /// - Parameters:
    ///   - characters: Characters as they are from now on, each id once; the name may be another than before.
    ///   - removed: The ids of those that are to go. Of an id that is not there nothing goes.
    ///   - limits: A block that is larger by half is split.
    /// - Returns: The index after the edit.
    func editing(
        putting characters: [MarvelCharacter],
        removing removed: Set<Int64> = [],
        limits: BlockLimits = BlockLimits()
    ) -> CharacterIndex {
        guard !blocks.isEmpty else { return CharacterIndex(characters, limits: limits) }
        var edits: [Int: BlockEdit] = [:]
        for id in removed.union(characters.map(\.id)) {
            guard let place = place(ofID: id) else { continue }
            edits[place.block, default: BlockEdit()].removed.insert(place.slot)
        }
        for character in characters.map(EncodedCharacter.init).sorted() {
            edits[block(for: character), default: BlockEdit()].added.append(character)
        }
        return editing(edits, limits)
    }

    /// The last block whose first character precedes it, or the first of all.
    private func block(for character: EncodedCharacter) -> Int {
        max(0, partitionPoint(0..<blocks.count) { !blocks[$0].precedes(0, character) } - 1)
    }

    private func editing(_ edits: [Int: BlockEdit], _ limits: BlockLimits) -> CharacterIndex {
        var places = places
        // First of all: a character may come to an earlier block than the one it leaves.
        for (number, edit) in edits {
            places.move(edit.removed.map { blocks[number].characters.ids[$0] }, to: nil)
        }
        var edited: [CharacterBlock] = []
        var keys: [Int] = []
        var nextKey = places.nextKey
        for (number, block) in blocks.enumerated() {
            let key = places.keys[number]
            guard let edit = edits[number] else {
                edited.append(block)
                keys.append(key)
                continue
            }
            for (place, part) in edit.parts(of: block, limits).enumerated() {
                edited.append(CharacterBlock(part, of: block))
                keys.append(place == 0 ? key : nextKey)
                // What stays in its block is found there as before.
                places.move(part.ids(of: block, addedOnly: place == 0), to: keys[keys.count - 1])
                if place > 0 { nextKey += 1 }
            }
        }
        places.setKeys(keys)
        return CharacterIndex(blocks: edited, places: places)
    }
}
