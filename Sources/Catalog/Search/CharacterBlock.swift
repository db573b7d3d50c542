/// A few thousand characters that follow one another in name order. An edit replaces one block.
final class CharacterBlock: Sendable {
    let characters: EncodedCharacters
    let foldedNames: PackedTexts
    /// The names as searches compare them that look at every name.
    let searchForms: SearchForms
    /// The first bytes of each folded name as a number: most steps of a search need no more, and read them in a row.
    private let heads: [UInt64]

    init(characters: EncodedCharacters, foldedNames: PackedTexts) {
        self.characters = characters
        self.foldedNames = foldedNames
        self.searchForms = SearchForms(foldedNames)
        self.heads = (0..<foldedNames.count).map(foldedNames.head)
    }

    var count: Int { characters.count }

    func run(_ slots: Range<Int>) -> EncodedCharacters.Run {
        EncodedCharacters.Run(characters: characters, slots: slots)
    }

    /// Where the character lies, most likely at `slot`: an edit before it moves it on.
    func slot(of id: Int64, near slot: Int) -> Int? {
        let ids = characters.ids
        return ids.indices.contains(slot) && ids[slot] == id ? slot : ids.firstIndex(of: id)
    }

    /// The head of the first name.
    var firstHead: UInt64 { heads.first ?? 0 }

    /// Where the names that begin with `prefix` start, or where the ones behind them do.
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
