internal import MarvelDomain
internal import WireMessages

/// A few thousand consecutive characters in name order. It is immutable: an edit replaces whole blocks.
final class CharacterBlock: Sendable {
    let characters: EncodedCharacters
    let foldedNames: PackedTexts
    /// The search forms of the names, for searches that compare every name.
    let searchForms: SearchForms
    /// The head of each folded name. Most steps of a binary search compare heads only, which lie in adjacent memory.
    private let heads: [UInt64]
    /// The number of comics of each character, by which suggestions are ranked.
    let comicCounts: [Int32]

    init(characters: EncodedCharacters, foldedNames: PackedTexts, comicCounts: [Int32]) {
        self.characters = characters
        self.foldedNames = foldedNames
        self.comicCounts = comicCounts
        self.searchForms = SearchForms(foldedNames)
        self.heads = (0..<foldedNames.count).map { foldedNames.head($0) }
    }

    var count: Int { characters.count }

    func run(_ slots: Range<Int>) -> EncodedCharacters.Run {
        EncodedCharacters.Run(characters: characters, slots: slots)
    }

    /// Decodes a character. Its bytes were encoded here, so that decoding does not fail.
    func character(_ slot: Int) -> MarvelCharacter? {
        try? SearchCharactersResponse(decoding: run(slot..<slot + 1).encoded, limit: .response).characters.first
    }

    /// Returns whether the first character precedes another in the order of names: folded name, name, id. The names are
    /// compared by their bytes, because Swift's own order treats canonically equivalent strings as equal.
    func begins(before character: MarvelCharacter, _ foldedName: [UInt8]) -> Bool {
        let first = foldedNames[0]
        guard first.elementsEqual(foldedName) else { return first.lexicographicallyPrecedes(foldedName) }
        // The block does not have unfolded names, so that the first character is decoded.
        guard let other = self.character(0) else { return false }
        let (left, right) = (Array(other.name.utf8), Array(character.name.utf8))
        return left == right ? other.id < character.id : left.lexicographicallyPrecedes(right)
    }

    /// The head of the first name.
    var firstHead: UInt64 { heads.first ?? 0 }

    /// Returns the slot of the first name that begins with `prefix`; if `isBehind`, the slot after the last such name.
    func place(of prefix: FoldedPrefix, isBehind: Bool) -> Int {
        if prefix.isDecidedByHead {
            return isBehind ? slot(behindHead: prefix.lastHead) : slot(ofHead: prefix.firstHead)
        }
        let sameHead = slot(ofHead: prefix.firstHead)..<slot(behindHead: prefix.lastHead)
        let least = isBehind ? 1 : 0
        return partitionPoint(sameHead) { foldedNames.order($0, toPrefix: prefix.utf8) >= least }
    }

    private func slot(ofHead head: UInt64) -> Int {
        heads.withUnsafeBufferPointer { heads in partitionPoint(0..<heads.count) { heads[$0] >= head } }
    }

    private func slot(behindHead head: UInt64) -> Int {
        heads.withUnsafeBufferPointer { heads in partitionPoint(0..<heads.count) { heads[$0] > head } }
    }
}
