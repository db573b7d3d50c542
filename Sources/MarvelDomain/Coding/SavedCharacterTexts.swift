/// The JSON of characters that were saved recently: many lists get the same ones.
package struct SavedCharacterTexts {
    private static let maximumBytes = 2 << 20

    /// It is an object, because its values are looked up for each favorite, and copied then.
    private final class Head: Sendable {
        let character: MarvelCharacter
        let text: [UInt8]

        init(_ character: MarvelCharacter) {
            self.character = character
            text = FavoriteJSON.head(character)
        }
    }

    private static let endCount = 16

    private var heads: [Int64: Head] = [:]
    /// The ends of favorites' JSON by the second in which they were saved: those of a group were saved at one time.
    private var ends = [(savedAt: Timestamp, text: [UInt8])?](repeating: nil, count: endCount)
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
        json.favorite(head: head(favorite.character).text, end: end(favorite.savedAt))
    }

    private mutating func end(_ savedAt: Timestamp) -> [UInt8] {
        let place = Int(truncatingIfNeeded: savedAt.seconds) & (Self.endCount - 1)
        if let known = ends[place], known.savedAt == savedAt { return known.text }
        let text = FavoriteJSON.end(savedAt)
        ends[place] = (savedAt, text)
        return text
    }

    private mutating func head(_ character: MarvelCharacter) -> Head {
        if let known = heads[character.id], known.character == character { return known }
        let head = Head(character)
        byteCount += head.text.count
        if byteCount > Self.maximumBytes {
            heads.removeAll()
            byteCount = head.text.count
        }
        heads[character.id] = head
        return head
    }
}
