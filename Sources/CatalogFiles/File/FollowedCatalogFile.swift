package import Catalog
package import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

/// A catalog file that is served and reloaded when it is replaced.
///
/// If the new file cannot be loaded, the old one is still served, and the error is reported.
package final class FollowedCatalogFile: Sendable {
    /// The result of a check of the file.
    package enum CheckResult: Sendable, Hashable {
        case unchanged
        /// A new file is served now.
        case replaced(CatalogDescription)
        /// The new file cannot be served. This is reported once, until the file changes again.
        case refused(CatalogFileError)
    }

    package let catalog: EditableCatalog
    /// The pictures of the file that is served now.
    package let pictures: FilePictures
    private let path: String
    private let now: @Sendable () -> Timestamp
    /// The identity of the file at the last check, whether it could be served or not.
    private let identity: Mutex<FileVersion?>
    private let description: Mutex<CatalogDescription>

    /// Loads the file.
    ///
    /// - Parameters:
    ///   - path: The path of the catalog file.
    ///   - otherPictures: The source of pictures that the file does not have.
    ///   - now: Returns the current time, which is noted when the file was loaded.
    /// - Throws: `CatalogFileError`.
    package init(
        _ path: String,
        otherPictures: any PictureSource,
        now: @escaping @Sendable () -> Timestamp
    ) async throws {
        // The identity is read first, so that a file that is replaced meanwhile is loaded again at the next check.
        identity = Mutex(FileVersion(path: path))
        let reader = try CatalogFileReader(path)
        catalog = EditableCatalog(try await reader.load(), loadedAt: now())
        pictures = FilePictures(reader, others: otherPictures)
        description = Mutex(reader.description)
        self.path = path
        self.now = now
    }

    /// The metadata of the file that is served now.
    package var servedDescription: CatalogDescription { description.withLock { $0 } }

    /// Checks whether the file was replaced, and loads the new one.
    ///
    /// It costs one `stat` unless the file has changed. It must not be called concurrently.
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
