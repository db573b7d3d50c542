internal import MarvelDomain

/// Consecutive characters in name order. Immutable: an edit replaces whole blocks.
final class CharacterBlock: Sendable {
    let characters: EncodedCharacters
    let foldedNames: PackedTexts
    let searchForms: SearchForms
    /// Most steps of a binary search compare only these adjacent numbers.
    private let heads: [UInt64]
    private let comicCounts: [Int32]
    /// The most comics first, and equal numbers in name order.
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

    func character(_ slot: Int) -> MarvelCharacter? { characters.character(slot) }

    /// Takes time like the square root of the block's size: a long range has enough of the characters with most comics.
    func rank(_ slots: Range<Int>, in ranking: inout ComicsRanking, start: Int) {
        guard slots.count * slots.count > ranking.maximumCount * count else {
            for slot in slots { ranking.offer(rankingKey(slot, start: start)) }
            return
        }
        for slot in slotsByComics.lazy.map(Int.init) where slots.contains(slot) {
            guard ranking.offer(rankingKey(slot, start: start)) else { return }
        }
    }

    /// The position is `start + slot`.
    @inline(__always)
    func rankingKey(_ slot: Int, start: Int) -> ComicsRanking.Key {
        ComicsRanking.Key(comics: comicCounts[slot], position: start + slot)
    }

    /// `start` is the position of the first character.
    func appendWords(to entries: inout [WordOrder.Entry], start: Int) {
        searchForms.forEachSortedWord { head, slot in
            entries.append(WordOrder.Entry(head: head, rankingKey: rankingKey(slot, start: start)))
        }
    }

    /// Compares bytes: Swift's own order treats canonically equivalent strings as equal.
    func begins(before character: MarvelCharacter, _ foldedName: [UInt8]) -> Bool {
        let first = foldedNames[0]
        guard first.elementsEqual(foldedName) else { return first.lexicographicallyPrecedes(foldedName) }
        guard let other = self.character(0) else { return false }
        let (left, right) = (Array(other.name.utf8), Array(character.name.utf8))
        return left == right ? other.id < character.id : left.lexicographicallyPrecedes(right)
    }

    func head(_ slot: Int) -> UInt64 { heads[slot] }

    /// The end of the slots without one.
    @inline(__always)
    func slot(in slots: Range<Int>, _ isBehind: (UInt64) -> Bool) -> Int {
        heads.withUnsafeBufferPointer { heads in partitionPoint(slots) { isBehind(heads[$0]) } }
    }
}
