package import MarvelDomain
package import WireMessages

/// A source of characters' pictures.
package protocol PictureSource: Sendable {
    /// Returns the picture of a character. It never blocks the calling thread, which may be an event loop.
    ///
    /// - Parameters:
    ///   - character: The character as the catalog has it, or as it was when it was saved.
    ///   - variant: The size of the picture.
    /// - Returns: A picture in that variant.
    /// - Throws: `PictureError` if there is no picture, or if it cannot be fetched now.
    func picture(of character: MarvelCharacter, _ variant: ImageVariant) async throws(PictureError) -> FoundPicture
}

/// A picture and its freshness.
package struct FoundPicture: Sendable, Hashable {
    package let picture: Picture
    /// The freshness of the picture; nil if it was drawn from the character, and is as fresh as the character.
    package let freshness: Freshness?

    package init(_ picture: Picture, freshness: Freshness? = nil) {
        self.picture = picture
        self.freshness = freshness
    }
}

extension MarvelCharacter {
    /// Whether the service draws the character's picture: its path is relative.
    package var isDrawn: Bool { thumbnail.map { !$0.path.contains("://") } ?? false }

    /// The host and port of the character's picture; empty if the picture has none.
    package var pictureHost: String {
        guard let path = thumbnail?.path, let scheme = path.firstRange(of: "://") else { return "" }
        return path[scheme.upperBound...].prefix { $0 != "/" }.lowercased()
    }
}
