package import Catalog
package import MarvelAPI
package import MarvelDomain
internal import Synchronization

/// The pictures that a catalog file has; those that it has not come from elsewhere.
package final class FilePictures: PictureSource {
    private let file: Mutex<CatalogFileReader>
    private let others: any PictureSource

    /// - Parameters:
    ///   - file: What has some.
    ///   - others: What is asked for the rest.
    package init(_ file: CatalogFileReader, others: any PictureSource) {
        self.file = Mutex(file)
        self.others = others
    }

    func replace(with file: CatalogFileReader) { self.file.withLock { $0 = file } }

    package func picture(
        of character: MarvelCharacter,
        _ variant: ImageVariant
    ) async throws(PictureError) -> FoundPicture {
        let file = file.withLock { $0 }
        // A file that is damaged just there has no picture there: `load` looks at characters only.
        if let picture = try? await file.picture(of: character.id, variant) { return FoundPicture(picture) }
        return try await others.picture(of: character, variant)
    }
}
