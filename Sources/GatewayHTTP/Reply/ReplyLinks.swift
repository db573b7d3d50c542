internal import MarvelAPI
internal import MarvelDomain

/// The URLs in a reply.
struct ReplyLinks: Sendable, Hashable {
    /// The original's origin. Old clients search for this text; one of them finds the kind of an entity by it.
    static let originalOrigin = "http://gateway.marvel.com"

    /// The origin in front of `/v1/public`.
    var apiOrigin = originalOrigin
    /// The origin of this gateway for the caller, without a slash at the end. The pictures are there.
    var ownOrigin: String
    /// The caller's public key, which is appended to links to pages about a character.
    var publicKey: String
}

extension ReplyLinks {
    func resource(_ character: MarvelCharacter) -> String { "\(apiOrigin)/v1/public/characters/\(character.id)" }

    /// Returns a picture's URL without variant and extension. This gateway draws the pictures that have no URL of their
    /// own.
    func thumbnail(_ character: MarvelCharacter) -> Thumbnail {
        if let thumbnail = character.thumbnail, thumbnail.path.contains("://") { return thumbnail }
        return Thumbnail(path: "\(ownOrigin)/emblem/\(character.id)", fileExtension: "png")
    }

    /// Returns the page's URL with the query items that the original appended.
    func page(_ url: CharacterURL) -> String {
        let fragment = url.url.drop { $0 != "#" }
        let address = url.url.dropLast(fragment.count)
        let separator = address.contains("?") ? "&" : "?"
        return "\(address)\(separator)utm_campaign=apiRef&utm_source=\(PercentEncoding.encoded(publicKey))\(fragment)"
    }
}
