/// The JSON of characters that were saved recently: many lists get the same ones.
package struct SavedCharacterTexts {
    /// They take some 2 MB.
    private static let maximumCount = 1_024

    private var texts: [Int64: (character: MarvelCharacter, text: [UInt8])] = [:]

    package init() {}

    /// The JSON of a favorite, as `FavoriteJSON` writes it.
    package mutating func utf8(_ favorite: Favorite) -> [UInt8] {
        FavoriteJSON.utf8(favorite, character: utf8(favorite.character))
    }

    private mutating func utf8(_ character: MarvelCharacter) -> [UInt8] {
        if let known = texts[character.id], known.character == character { return known.text }
        let text = FavoriteJSON.utf8(character)
        if texts.count >= Self.maximumCount { texts.removeAll(keepingCapacity: true) }
        texts[character.id] = (character, text)
        return text
    }
}
