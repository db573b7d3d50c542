internal import MarvelDomain

extension CharacterIndex {
    /// Returns a copy of the index with some characters added, replaced or removed. Only the affected blocks are built
    /// anew, and this index does not change.
    ///
    /// - Parameters:
    ///   - characters: The characters to add or replace, each id once. A name may differ from the one before.
    ///   - removed: The ids of the characters to remove. Unknown ids are ignored.
    ///   - limits: The limits of blocks. A block of more than 1.5 times the limits is split.
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

    /// Returns the last block whose first character precedes `character`, or the first block.
    private func block(for character: EncodedCharacter) -> Int {
        max(0, partitionPoint(0..<blocks.count) { !blocks[$0].precedes(0, character) } - 1)
    }

    private func editing(_ edits: [Int: BlockEdit], _ limits: BlockLimits) -> CharacterIndex {
        var places = places
        // All removals come first, because a character may move to an earlier block.
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
                // Characters that stay in their block need no new place.
                places.move(part.ids(of: block, addedOnly: place == 0), to: keys[keys.count - 1])
                if place > 0 { nextKey += 1 }
            }
        }
        places.setKeys(keys)
        return CharacterIndex(blocks: edited, places: places)
    }
}
