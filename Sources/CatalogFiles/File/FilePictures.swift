package import Catalog
package import MarvelDomain
internal import Synchronization

/// A source of pictures that reads them from a catalog file, and gets missing ones from another source.
package final class FilePictures: PictureSource {
    private let file: Mutex<CatalogFileReader>
    private let others: any PictureSource

    /// - Parameters:
    ///   - file: The catalog file.
    ///   - others: The source of pictures that the file does not have.
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
        // A damaged picture is treated as missing, because `load` checks characters only.
        if let picture = try? await file.picture(of: character.id, variant) { return FoundPicture(picture) }
        return try await others.picture(of: character, variant)
    }
}
