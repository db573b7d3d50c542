internal import MarvelDomain

/// A reader of the exact text that `SnapshotWriter` writes. At the first other byte it fails, and the text is left to
/// `JSONDecoder`.
struct SnapshotReader: ~Copyable {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ text: String) { bytes = Array(text.utf8) }

    /// Reads a favorite. Nil if the text is not in the form of `SnapshotWriter`; it may still be a valid snapshot.
    static func favorite(_ text: String) -> Favorite? {
        var reader = SnapshotReader(text)
        guard reader.skip(#"{"character":"#), let character = reader.character(),
            reader.skip(#","savedAt":"#), let savedAt = reader.timestamp(),
            reader.skip("}"), reader.position == reader.bytes.count
        else { return nil }
        return Favorite(character: character, savedAt: savedAt)
    }

    private mutating func character() -> MarvelCharacter? {
        guard skip(#"{"comics":"#), let comics: Int32 = number(),
            skip(#","description":"#), let description = string(),
            skip(#","events":"#), let events: Int32 = number(),
            skip(#","id":"#), let id: Int64 = number()
        else { return nil }
        var modified: Timestamp?
        if skip(#","modified":"#) {
            modified = timestamp()
            guard modified != nil else { return nil }
        }
        guard skip(#","name":"#), let name = string(),
            skip(#","series":"#), let series: Int32 = number(),
            skip(#","stories":"#), let stories: Int32 = number()
        else { return nil }
        var thumbnail: Thumbnail?
        if skip(#","thumbnail":"#) {
            thumbnail = self.thumbnail()
            guard thumbnail != nil else { return nil }
        }
        guard skip(#","urls":["#), let urls = urls(), skip("]}") else { return nil }
        return MarvelCharacter(
            id: id,
            name: name,
            description: description,
            modified: modified,
            thumbnail: thumbnail,
            comicCount: comics,
            seriesCount: series,
            storyCount: stories,
            eventCount: events,
            urls: urls
        )
    }

    private mutating func thumbnail() -> Thumbnail? {
        guard skip(#"{"fileExtension":"#), let fileExtension = string(), skip(#","path":"#), let path = string(),
            skip("}")
        else { return nil }
        return Thumbnail(path: path, fileExtension: fileExtension)
    }

    private mutating func urls() -> [CharacterURL]? {
        var urls: [CharacterURL] = []
        while skip(urls.isEmpty ? #"{"type":"# : #",{"type":"#) {
            guard let type = string(), skip(#","url":"#), let url = string(), skip("}") else { return nil }
            urls.append(CharacterURL(type: type, url: url))
        }
        return urls
    }

    private mutating func timestamp() -> Timestamp? {
        guard skip(#"{"nanoseconds":"#), let nanoseconds: Int32 = number(),
            skip(#","seconds":"#), let seconds: Int64 = number(), skip("}")
        else { return nil }
        return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    }

    private mutating func number<Number: FixedWidthInteger>() -> Number? {
        let start = position
        while position < bytes.count, isDigit(bytes[position]) { position += 1 }
        return Number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }

    private mutating func string() -> String? {
        guard skip("\"") else { return nil }
        let start = position
        while position < bytes.count, SnapshotWriter.isPlain(bytes[position]) { position += 1 }
        let end = position
        guard skip("\"") else { return nil }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Reads `text` if it comes next, and returns whether it did.
    private mutating func skip(_ text: StaticString) -> Bool {
        let end = position + text.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount where bytes[position + offset] != text.utf8Start[offset] {
            return false
        }
        position = end
        return true
    }
}
