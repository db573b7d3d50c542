internal import MarvelDomain
internal import WireMessages

/// A few thousand consecutive characters in name order. It is immutable: an edit replaces whole blocks.
final class CharacterBlock: Sendable {
    let characters: EncodedCharacters
    let foldedNames: PackedTexts
    let searchForms: SearchForms
    /// The head of each folded name. Most steps of a binary search compare only these adjacent numbers.
    private let heads: [UInt64]
    /// The number of comics of each character, for the ranking of suggestions.
    private let comicCounts: [Int32]
    /// The slots by the number of comics, the most first, and equal numbers in name order.
    private let slotsByComics: [UInt16]

    init(characters: EncodedCharacters, foldedNames: PackedTexts, comicCounts: [Int32]) {
        self.characters = characters
        self.foldedNames = foldedNames
        self.comicCounts = comicCounts
        self.slotsByComics = comicCounts.indices.map { UInt16($0) }.sorted { left, right in
            let (comics, others) = (comicCounts[Int(left)], comicCounts[Int(right)])
            return comics != others ? comics > others : left < right
        }
        self.searchForms = SearchForms(foldedNames)
        self.heads = (0..<foldedNames.count).map { foldedNames.head($0) }
    }

    var count: Int { characters.count }

    func run(_ slots: Range<Int>) -> EncodedCharacters.Run {
        EncodedCharacters.Run(characters: characters, slots: slots)
    }

    /// Decodes a character. This cannot fail, because the bytes were encoded here.
    func character(_ slot: Int) -> MarvelCharacter? {
        try? SearchCharactersResponse(decoding: run(slot..<slot + 1).encoded, limit: .response).characters.first
    }

    /// Offers the characters of a range to a ranking.
    ///
    /// In a long range the first of all slots are in the range often enough, and a short one is looked through: the time
    /// is that of the square root of the block's size.
    func rank(_ slots: Range<Int>, in ranking: inout ComicsRanking, start: Int) {
        guard slots.count * slots.count > ranking.maximumCount * count else {
            for slot in slots { ranking.offer(rankingKey(slot, start: start)) }
            return
        }
        for slot in slotsByComics.lazy.map(Int.init) where slots.contains(slot) {
            guard ranking.offer(rankingKey(slot, start: start)) else { return }
        }
    }

    /// The key of a character, whose position is `start + slot`.
    @inline(__always)
    func rankingKey(_ slot: Int, start: Int) -> ComicsRanking.Key {
        ComicsRanking.Key(comics: comicCounts[slot], position: start + slot)
    }

    /// Appends the words in the order of their letters. `start` is the position of the first character.
    func appendWords(to entries: inout [WordOrder.Entry], start: Int) {
        searchForms.forEachSortedWord { head, slot in
            entries.append(WordOrder.Entry(head: head, rankingKey: rankingKey(slot, start: start)))
        }
    }

    /// Returns whether the first character precedes another in name order: folded name, name, id. It compares bytes,
    /// because Swift's own order treats canonically equivalent strings as equal.
    func begins(before character: MarvelCharacter, _ foldedName: [UInt8]) -> Bool {
        let first = foldedNames[0]
        guard first.elementsEqual(foldedName) else { return first.lexicographicallyPrecedes(foldedName) }
        // The block has only folded names, so decode the first character.
        guard let other = self.character(0) else { return false }
        let (left, right) = (Array(other.name.utf8), Array(character.name.utf8))
        return left == right ? other.id < character.id : left.lexicographicallyPrecedes(right)
    }

    func head(_ slot: Int) -> UInt64 { heads[slot] }

    /// Returns the first of some slots whose name's head is behind, or the end of the slots.
    @inline(__always)
    func slot(in slots: Range<Int>, _ isBehind: (UInt64) -> Bool) -> Int {
        heads.withUnsafeBufferPointer { heads in partitionPoint(slots) { isBehind(heads[$0]) } }
    }
}
