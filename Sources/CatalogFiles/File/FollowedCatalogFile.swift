package import Catalog
package import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

/// A catalog file that is served and reloaded when it is replaced.
///
/// If the new file cannot be loaded, the old one is still served, and the error is reported.
package final class FollowedCatalogFile: Sendable {
    package enum CheckResult: Sendable, Hashable {
        case unchanged
        case replaced(CatalogDescription)
        /// The new file cannot be served. This is reported once, until the file changes again.
        case refused(CatalogFileError)
    }

    package let catalog: EditableCatalog
    package let pictures: FilePictures
    private let path: String
    private let now: @Sendable () -> Timestamp
    /// The identity of the file at the last check, even if it could not be served.
    private let identity: Mutex<FileVersion?>
    private let description: Mutex<CatalogDescription>

    /// Loads the file. `otherPictures` supplies pictures that the file lacks.
    ///
    /// - Throws: `CatalogFileError`.
    package init(
        _ path: String,
        otherPictures: any PictureSource,
        now: @escaping @Sendable () -> Timestamp
    ) async throws {
        // Read the identity first, so that the next check loads a file that is replaced meanwhile.
        identity = Mutex(FileVersion(path: path))
        let reader = try CatalogFileReader(path)
        catalog = EditableCatalog(try await reader.load(), loadedAt: now())
        pictures = FilePictures(reader, others: otherPictures)
        description = Mutex(reader.description)
        self.path = path
        self.now = now
    }

    package var servedDescription: CatalogDescription { description.withLock { $0 } }

    /// Loads the file if it was replaced. Otherwise it costs one `stat`. Do not call it concurrently.
    package func check() async -> CheckResult {
        let found = FileVersion(path: path)
        let isNew = identity.withLock { known in
            defer { known = found }
            return known != found
        }
        guard isNew else { return .unchanged }
        do {
            let reader = try CatalogFileReader(path)
            catalog.replace(with: try await reader.load(), loadedAt: now())
            pictures.replace(with: reader)
            description.withLock { $0 = reader.description }
            return .replaced(reader.description)
        } catch {
            return .refused(CatalogFileError(reading: path, error))
        }
    }
}

/// A source of pictures from a catalog file, with another source for missing ones.
package final class FilePictures: PictureSource {
    private let file: Mutex<CatalogFileReader>
    private let others: any PictureSource

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
        // A damaged picture counts as missing, because `load` checks only characters.
        if let picture = try? await file.picture(of: character.id, variant) { return FoundPicture(picture) }
        return try await others.picture(of: character, variant)
    }
}
