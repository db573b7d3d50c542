package import MarvelAPI
package import MarvelDomain

/// Where the pictures of a catalog's characters come from.
package protocol PictureSource: Sendable {
    /// The picture of a character in a variant. Whoever asks, an event loop perhaps, is not kept from its work meanwhile.
    ///
    /// - Parameters:
    ///   - character: As the catalog has it, or as it was when it was saved.
    ///   - variant: In which size.
    /// - Returns: A picture in that variant.
    /// - Throws: `PictureError` if there is none, or none to be had now.
    func picture(of character: MarvelCharacter, _ variant: ImageVariant) async throws(PictureError) -> Picture
}

/// Draws the emblems of characters whose pictures are on no server: those of the catalogs in memory.
package struct DrawnPictures: PictureSource {
    private let emblems = EmblemCache()

    package init() {}

    package func picture(of character: MarvelCharacter, _ variant: ImageVariant) async throws(PictureError) -> Picture {
        guard character.isDrawn else { throw .none }
        // Drawing takes milliseconds.
        return await withTaskExecutorPreference(globalConcurrentExecutor) { [emblems] in
            Picture(bytes: emblems.png(character, variant), mediaType: .png)
        }
    }
}

/// Fetches what a gateway's characters have on a server, and draws the others: favorites may be from another catalog.
package struct GatewayPictures: PictureSource {
    private let client: PictureClient
    private let drawn = DrawnPictures()

    package init(client: PictureClient) { self.client = client }

    package func picture(of character: MarvelCharacter, _ variant: ImageVariant) async throws(PictureError) -> Picture {
        guard let place = character.thumbnail else { throw .none }
        guard !character.isDrawn else { return try await drawn.picture(of: character, variant) }
        return try await client.picture(at: place, variant)
    }
}

extension MarvelCharacter {
    /// A relative path says that the service draws the picture.
    fileprivate var isDrawn: Bool { thumbnail.map { !$0.path.contains("://") } ?? false }
}
