package import MarvelAPI
package import MarvelDomain
package import WireMessages

/// Where the pictures of a catalog's characters come from.
package protocol PictureSource: Sendable {
    /// The picture of a character in a variant. Whoever asks, an event loop perhaps, is not kept from its work meanwhile.
    ///
    /// - Parameters:
    ///   - character: As the catalog has it, or as it was when it was saved.
    ///   - variant: In which size.
    /// - Returns: A picture in that variant.
    /// - Throws: `PictureError` if there is none, or none to be had now.
    func picture(of character: MarvelCharacter, _ variant: ImageVariant) async throws(PictureError) -> FoundPicture
}

/// A picture, and where it came from.
package struct FoundPicture: Sendable, Hashable {
    package let picture: Picture
    /// Nil: it is made from the character, and as fresh as that.
    package let freshness: Freshness?

    package init(_ picture: Picture, freshness: Freshness? = nil) {
        self.picture = picture
        self.freshness = freshness
    }
}

/// Draws the emblems of characters whose pictures are on no server: those of the catalogs in memory.
package struct DrawnPictures: PictureSource {
    private let emblems = EmblemCache()

    package init() {}

    package func picture(
        of character: MarvelCharacter,
        _ variant: ImageVariant
    ) async throws(PictureError) -> FoundPicture {
        guard character.isDrawn else { throw .none }
        // Drawing takes milliseconds.
        return await withTaskExecutorPreference(globalConcurrentExecutor) { [emblems] in
            FoundPicture(Picture(bytes: emblems.png(character, variant), mediaType: .png))
        }
    }
}

extension MarvelCharacter {
    /// A relative path says that the service draws the picture.
    var isDrawn: Bool { thumbnail.map { !$0.path.contains("://") } ?? false }
}
