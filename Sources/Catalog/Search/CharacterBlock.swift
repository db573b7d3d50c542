/// A few thousand characters that follow one another in name order. An edit replaces one block.
final class CharacterBlock: Sendable {
    let characters: EncodedCharacters
    let foldedNames: PackedTexts
    /// The first bytes of each folded name as a number: most steps of a search need no more, and read them in a row.
    private let heads: [UInt64]

    init(characters: EncodedCharacters, foldedNames: PackedTexts) {
        self.characters = characters
        self.foldedNames = foldedNames
        self.heads = (0..<foldedNames.count).map(foldedNames.head)
    }

    var count: Int { characters.count }

    func run(_ slots: Range<Int>) -> EncodedCharacters.Run {
        EncodedCharacters.Run(characters: characters, slots: slots)
    }

    /// Where the names that begin with `prefix` start, or where the ones behind them do.
    func place(ofPrefix prefix: UnsafeBufferPointer<UInt8>, isBehind: Bool) -> Int {
        let head = PackedTexts.head(prefix)
        guard prefix.count > PackedTexts.headByteCount else {
            // Every name that begins with the prefix has a head from the prefix filled up with zeros to the prefix
            // filled up with ones.
            let filled = prefix.isEmpty ? UInt64.max : head | UInt64.max >> UInt64(8 * prefix.count)
            return isBehind
                ? partitionPoint(0..<count) { heads[$0] > filled }
                : partitionPoint(0..<count) { heads[$0] >= head }
        }
        let least = isBehind ? 1 : 0
        let sameHead =
            partitionPoint(0..<count) { heads[$0] >= head }..<partitionPoint(0..<count) { heads[$0] > head }
        return partitionPoint(sameHead) { foldedNames.order($0, toPrefix: prefix) >= least }
    }
}
