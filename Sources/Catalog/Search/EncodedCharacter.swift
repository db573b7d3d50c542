internal import MarvelDomain
internal import NIOCore
internal import WireMessages

/// A character encoded for an index, but not yet part of it.
struct EncodedCharacter {
    let id: Int64
    fileprivate let name: String
    let foldedName: [UInt8]
    let comicCount: Int32
    /// The character as one element of the field `characters` of `SearchCharactersResponse`.
    let bytes: ByteBuffer

    init(_ character: MarvelCharacter) {
        let character = character.withinLimits
        id = character.id
        name = character.name
        foldedName = FoldedName(character.name).utf8
        comicCount = character.comicCount
        var bytes = ByteBuffer()
        SearchCharactersResponse.writeCharacter(character, into: &bytes)
        self.bytes = bytes
    }
}

/// The total order of names: folded name, name, id.
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
        // The bytes are compared, because Swift's own order treats canonically equivalent strings as equal.
        left.utf8.elementsEqual(right.utf8) ? leftID < rightID : left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

extension CharacterBlock {
    /// Returns whether the character at `slot` precedes another in the order of names.
    func precedes(_ slot: Int, _ character: EncodedCharacter) -> Bool {
        let byFoldedName = foldedNames.order(slot, to: character.foldedName)
        guard byFoldedName == 0 else { return byFoldedName < 0 }
        // The index does not keep unfolded names: they are decoded only for the few names that fold alike.
        return EncodedCharacter.precedes(name(slot), characters.ids[slot], character.name, character.id)
    }

    private func name(_ slot: Int) -> String {
        // The index wrote these bytes itself.
        let element = run(slot..<slot + 1).encoded
        return (try? SearchCharactersResponse(decoding: element, limit: .response))?.characters.first?.name ?? ""
    }
}
