package import MarvelDomain

/// An entry of `results`, parsed as leniently as possible: only an entry that is not an object is an error.
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

    /// Makes the character; nil without an id above 0 and a name. Links lose the keys, because a gateway appends the
    /// caller's public key to them.
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
