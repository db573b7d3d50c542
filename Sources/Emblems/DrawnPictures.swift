package import Catalog
package import MarvelDomain

/// A source of pictures that draws emblems, for characters of the catalogs in memory, which have no pictures on a host.
package struct DrawnPictures: PictureSource {
    private let emblems = EmblemCache()

    package init() {}

    package func picture(
        of character: MarvelCharacter,
        _ variant: ImageVariant
    ) async throws(PictureError) -> FoundPicture {
        guard character.isDrawn else { throw .none }
        // Drawing takes milliseconds, which is too long for an event loop.
        return await withTaskExecutorPreference(globalConcurrentExecutor) { [emblems] in
            FoundPicture(Picture(bytes: emblems.png(character, variant), mediaType: .png))
        }
    }
}
