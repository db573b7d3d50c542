package import MarvelDomain
internal import WireMessages

package enum BuiltInCatalog {
    /// The descriptions are this project's own.
    package static let attribution = "Character names and ids: Marvel. Descriptions and emblems: marvel-rpc."

    /// Ordered by id, with drawn emblems. `modified` is nil, because the data set lacks it.
    package static func characters() -> [MarvelCharacter] {
        lines.compactMap(character)
    }

    /// The lines of `characters.txt`. Each is `id|comics|name|description`, and they are sorted by id.
    ///
    /// `comics` is the number of comics that listed the character. A name contains no `|`, and has the spaces around it
    /// that the API sent. The description, empty for most characters, is everything after the third `|`.
    static var lines: [Substring] {
        // Split by bytes: splitting by grapheme clusters is several times slower and delays the start.
        String(decoding: PackageResources.characters_txt, as: UTF8.self).utf8.split(separator: UInt8(ascii: "\n"))
            .map { Substring($0) }
    }

    package static func catalog() -> InMemoryCatalog {
        InMemoryCatalog(characters(), kind: .builtIn, attribution: attribution, source: .builtIn)
    }

    /// Returns nil if the line is invalid.
    static func character(_ line: Substring) -> MarvelCharacter? {
        let fields = line.utf8.split(separator: UInt8(ascii: "|"), maxSplits: 3, omittingEmptySubsequences: false)
            .map(Substring.init)
        guard fields.count == 4, let id = Int64(fields[0]), id > 0, let comics = Int32(fields[1]), comics >= 0,
            !fields[2].isEmpty
        else { return nil }
        return MarvelCharacter(
            id: id,
            name: String(fields[2]),
            description: String(fields[3]),
            thumbnail: .emblem(of: id),
            comicCount: comics
        )
    }
}
