internal import MarvelDomain
internal import NIOCore
internal import WireMessages

/// One character as an index keeps it, before it has a place there.
struct EncodedCharacter {
    let id: Int64
    fileprivate let name: String
    let foldedName: [UInt8]
    /// One element of the field `characters` of `SearchCharactersResponse`.
    let bytes: ByteBuffer

    init(_ character: MarvelCharacter) {
        let character = character.withinLimits
        id = character.id
        name = character.name
        foldedName = FoldedName(character.name).utf8
        var bytes = ByteBuffer()
        SearchCharactersResponse.writeCharacter(character, into: &bytes)
        self.bytes = bytes
    }
}

/// In the name order of the design: folded name, name, id.
extension EncodedCharacter: Comparable {
    static func == (left: EncodedCharacter, right: EncodedCharacter) -> Bool {
        left.name == right.name && left.id == right.id
    }

    static func < (left: EncodedCharacter, right: EncodedCharacter) -> Bool {
        guard left.foldedName == right.foldedName else {
            return left.foldedName.lexicographicallyPrecedes(right.foldedName)
        }
        return precedes(left.name, left.id, right.name, right.id)
    }

    fileprivate static func precedes(_ left: String, _ leftID: Int64, _ right: String, _ rightID: Int64) -> Bool {
        // By the bytes: Swift's own order of strings takes those for equal that Unicode does.
        left.utf8.elementsEqual(right.utf8) ? leftID < rightID : left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

extension CharacterBlock {
    /// Whether the character at `slot` stands before another in the order of names.
    func precedes(_ slot: Int, _ character: EncodedCharacter) -> Bool {
        let byFoldedName = foldedNames.order(slot, to: character.foldedName)
        guard byFoldedName == 0 else { return byFoldedName < 0 }
        // Names that fold alike are few, and the index keeps no others.
        return EncodedCharacter.precedes(name(slot), characters.ids[slot], character.name, character.id)
    }

    private func name(_ slot: Int) -> String {
        // The index wrote these bytes itself.
        let element = run(slot..<slot + 1).encoded
        return (try? SearchCharactersResponse(decoding: element, limit: .response))?.characters.first?.name ?? ""
    }
}
