internal import MarvelDomain

/// The addresses that a reply gives for what it tells about.
package struct ReplyLinks: Sendable, Hashable {
    /// What programs for the original look for: one of them finds the kind of an entity by this very text.
    package static let originalOrigin = "http://gateway.marvel.com"

    /// In front of `/v1/public`.
    package var apiOrigin: String
    /// Where this gateway is for the caller, without a slash at the end: there are its pictures.
    package var ownOrigin: String
    /// The caller's public key, which pages about a character get to see.
    package var publicKey: String

    package init(apiOrigin: String = originalOrigin, ownOrigin: String, publicKey: String) {
        self.apiOrigin = apiOrigin
        self.ownOrigin = ownOrigin
        self.publicKey = publicKey
    }
}

extension ReplyLinks {
    func resource(_ character: MarvelCharacter) -> String { "\(apiOrigin)/v1/public/characters/\(character.id)" }

    /// Without variant and extension. A picture that is on no server of its own is drawn by this gateway.
    func thumbnail(_ character: MarvelCharacter) -> Thumbnail {
        if let thumbnail = character.thumbnail, thumbnail.path.contains("://") { return thumbnail }
        return Thumbnail(path: "\(ownOrigin)/emblem/\(character.id)", fileExtension: "png")
    }

    /// The page with the marks that the original put on it, at the end of its query.
    func page(_ url: CharacterURL) -> String {
        let fragment = url.url.drop { $0 != "#" }
        let address = url.url.dropLast(fragment.count)
        let separator = address.contains("?") ? "&" : "?"
        return "\(address)\(separator)utm_campaign=apiRef&utm_source=\(percentEncoded(publicKey))\(fragment)"
    }

    private func percentEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            let character = Character(UnicodeScalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
                encoded.append(character)
            } else {
                encoded += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
