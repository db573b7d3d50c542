internal import FoundationEssentials
package import MarvelDomain

/// Only `data` and its `results` are required.
package struct CharacterDataWrapper: Decodable {
    package struct Container: Decodable {
        let offset: Int?
        /// Clamped to the range of the service's own `total`.
        let total: Int?
        /// Nil for an entry that is not an object, so that entries can be counted.
        package let results: [CharacterEntry?]

        /// An entry of one or two bytes takes a hundred times as much memory. Pages have at most 100.
        private static let maximumEntries = 100_000

        private enum Key: String, CodingKey {
            case offset, total, results
        }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            offset = fields.lenientInteger(.offset).map { Int($0) }
            total = fields.lenientInteger(.total).map { Int(Int32(clamping: max($0, 0))) }
            var entries = try fields.nestedUnkeyedContainer(forKey: .results)
            var results: [CharacterEntry?] = []
            var hasObject = false
            while !entries.isAtEnd, results.count <= Self.maximumEntries {
                let entry = try entries.decode(Lenient<CharacterEntry?>.self).value
                hasObject = hasObject || entry != nil
                results.append(entry ?? nil)
            }
            // One unreadable entry is accepted, but a list without a readable entry is not a list of characters.
            guard results.count <= Self.maximumEntries, results.isEmpty || hasObject else {
                throw DecodingError.dataCorruptedError(forKey: .results, in: fields, debugDescription: "no characters")
            }
            self.results = results
        }
    }

    /// Empty if missing.
    package let attribution: String
    let etag: String?
    package let data: Container

    private enum Key: String, CodingKey {
        case attributionText, attributionHTML, etag, data
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        let texts = [Key.attributionText, .attributionHTML].compactMap { fields.lenient(String.self, $0) }
        let line = texts.lazy.map(PlainText.paragraph).first { !$0.isEmpty } ?? ""
        attribution = line.cut(to: CharacterLimits.attributionBytes)
        etag = fields.lenient(String.self, .etag)
        data = try fields.decode(Container.self, forKey: .data)
    }
}

/// Parsed as leniently as possible: only an entry that is not an object is an error.
package struct CharacterEntry: Decodable {
    private struct List: Decodable {
        let count: Int32

        private enum Key: String, CodingKey {
            case available, returned
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            count = Int32(clamping: max(fields.lenientInteger(.available) ?? fields.lenientInteger(.returned) ?? 0, 0))
        }
    }

    private struct Image: Decodable {
        let path: String
        let `extension`: String
    }

    private struct Link: Decodable {
        let type: String?
        let url: String
    }

    private enum Key: String, CodingKey {
        case id, name, description, modified, thumbnail, comics, series, stories, events, urls
    }

    private let id: Int64?
    private let name: String?
    private let description: String
    private let modified: Timestamp?
    private let thumbnail: Thumbnail?
    private let counts: (comics: Int32, series: Int32, stories: Int32, events: Int32)
    private let links: [Link]

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        func count(_ key: Key) -> Int32 { fields.lenient(List.self, key)?.count ?? 0 }
        id = fields.lenientInteger(.id)
        name = fields.lenient(String.self, .name).map(PlainText.line)
        description = fields.lenient(String.self, .description).map(PlainText.paragraph) ?? ""
        modified = fields.lenient(String.self, .modified).flatMap(MarvelDate.responseDate)
        thumbnail = fields.lenient(Image.self, .thumbnail).flatMap { Thumbnail(marvelPath: $0.path, $0.extension) }
        counts = (count(.comics), count(.series), count(.stories), count(.events))
        links = fields.lenient([Lenient<Link>].self, .urls)?.compactMap(\.value) ?? []
    }

    /// Nil without an id above 0 and a name. Links lose the keys: a gateway appends the caller's public key.
    package func character(hiding keys: MarvelKeys?) -> MarvelCharacter? {
        guard let id, id > 0, let name, !name.allSatisfy(\.isWhitespace) else { return nil }
        return MarvelCharacter(
            id: id,
            name: name,
            description: description,
            modified: modified,
            thumbnail: thumbnail,
            comicCount: counts.comics,
            seriesCount: counts.series,
            storyCount: counts.stories,
            eventCount: counts.events,
            urls: links.compactMap { CharacterURL(marvelType: $0.type ?? "", url: $0.url, hiding: keys) }
        )
    }
}

extension Thumbnail {
    /// Nil for an unusable address. Addresses of Marvel's hosts become https, because many programs refuse plain http.
    init?(marvelPath path: String, _ fileExtension: String) {
        guard let link = WebLink(path), (1...16).contains(fileExtension.utf8.count),
            fileExtension.unicodeScalars.allSatisfy(isASCIILetterOrDigit)
        else { return nil }
        self.init(path: link.isMarvelHost ? "https" + link.afterScheme : path, fileExtension: fileExtension)
    }

    /// Whether this is one of Marvel's two placeholders for a missing picture.
    package var isPlaceholder: Bool {
        path.hasSuffix("/image_not_available") || path.hasSuffix("/4c002e0305708")
    }
}

extension CharacterURL {
    package init?(marvelType type: String, url: String, hiding keys: MarvelKeys?) {
        guard WebLink(url) != nil else { return nil }
        self.init(type: PlainText.line(type), url: CharacterURL.withoutCaller(url, keys))
    }

    /// `utm_campaign=apiRef`, `utm_source=<public key>`, and every other item with the key.
    private static func withoutCaller(_ url: String, _ keys: MarvelKeys?) -> String {
        guard let mark = url.firstIndex(of: "?") else { return url }
        let (address, query) = (url[..<mark], url[mark...].dropFirst())
        let end = query.firstIndex(of: "#") ?? query.endIndex
        let kept = query[..<end].split(separator: "&").filter { item in
            let namesKey = keys.map { item.contains($0.publicKey) } ?? false
            return item != "utm_campaign=apiRef" && !item.hasPrefix("utm_source=") && !namesKey
        }
        return address + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")) + query[end...]
    }
}

private struct WebLink {
    let afterScheme: Substring
    let host: String

    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), ["http", "https"].contains(text[..<colon].lowercased()),
            text[colon...].hasPrefix("://"),
            text.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.properties.generalCategory != .control })
        else { return nil }
        afterScheme = text[colon...]
        host = afterScheme.dropFirst(3).prefix { !"/?#:".contains($0) }.lowercased()
        guard !host.isEmpty, !host.contains("@") else { return nil }
    }

    var isMarvelHost: Bool {
        let hasNoPort = !afterScheme.dropFirst(3).prefix { !"/?#".contains($0) }.contains(":")
        return hasNoPort && ["annihil.us", "marvel.com"].contains { host == $0 || host.hasSuffix("." + $0) }
    }
}

private func isASCIILetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
}

package enum JSONObject {
    package static let maximumByteCount = 4 * 1024 * 1024

    package enum Refusal: Error, Hashable, CustomStringConvertible {
        case tooLarge(maximum: Int)
        case wrongShape

        package var description: String {
            switch self {
            case .tooLarge(let maximum): "it has more than \(maximum) bytes"
            case .wrongShape: "it is not a JSON object of the expected form"
            }
        }
    }

    package static func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: [UInt8],
        maximumByteCount maximum: Int = maximumByteCount
    ) throws(Refusal) -> Value {
        guard body.count <= maximum else { throw .tooLarge(maximum: maximum) }
        // The decoder compares texts.
        guard CombiningMarks.areInShortRuns(inJSON: body) else { throw .wrongShape }
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw .wrongShape
        }
    }
}

struct Lenient<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) {
        value = try? Value(from: decoder)
    }
}

extension KeyedDecodingContainer {
    /// Nil if the value is absent, null, or of another type.
    package func lenient<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        try? decodeIfPresent(type, forKey: key)
    }

    /// Accepts an integer, a fraction such as `5.0`, or text.
    package func lenientInteger(_ key: Key) -> Int64? {
        lenient(Int64.self, key)
            ?? lenient(Double.self, key).flatMap { Int64(exactly: $0) }
            ?? lenient(String.self, key).flatMap { Int64($0) }
    }
}
