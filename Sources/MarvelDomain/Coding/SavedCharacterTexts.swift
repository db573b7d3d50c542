/// The JSON of characters that were saved recently: many lists get the same ones.
package struct SavedCharacterTexts {
    private static let maximumBytes = 2 << 20

    private var texts: [Int64: (character: MarvelCharacter, text: [UInt8])] = [:]
    /// The bytes of the texts. The characters take about as many.
    private var byteCount = 0

    package init() {}

    /// The JSON of a favorite, as `FavoriteJSON` writes it.
    package mutating func utf8(_ favorite: Favorite) -> [UInt8] {
        var json = JSONWriter()
        json.reserveCapacity(1024)
        write(favorite, to: &json)
        return json.bytes
    }

    /// Writes the same.
    package mutating func write(_ favorite: Favorite, to json: inout JSONWriter) {
        json.favorite(head: head(favorite.character), savedAt: favorite.savedAt)
    }

    private mutating func head(_ character: MarvelCharacter) -> [UInt8] {
        if let known = texts[character.id], known.character == character { return known.text }
        let text = FavoriteJSON.head(character)
        byteCount += text.count
        if byteCount > Self.maximumBytes {
            texts.removeAll()
            byteCount = text.count
        }
        texts[character.id] = (character, text)
        return text
    }
}
