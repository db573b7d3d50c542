package import Catalog
internal import MarvelDomain
internal import Synchronization

/// A catalog file that is served, and looked at now and then: when another file has taken its name, that one is loaded
/// and put in its place. One that cannot be loaded is told of, and the old one goes on.
package final class FollowedCatalogFile: Sendable {
    /// What a look at the file found.
    package enum Look: Sendable, Hashable {
        case unchanged
        /// What is served now.
        case replaced(CatalogDescription)
        /// The new file cannot be served. Told once, until it changes again.
        case refused(CatalogFileError)
    }

    package let catalog: EditableCatalog
    /// Of the file that is served now.
    package let pictures: FilePictures
    private let path: String
    /// Of the file that was looked at last, whether it could be served or not.
    private let identity: Mutex<FileIdentity?>
    private let description: Mutex<CatalogDescription>

    /// Loads the file.
    ///
    /// - Parameters:
    ///   - path: Of a catalog file.
    ///   - otherPictures: Where pictures come from that the file does not have.
    /// - Throws: `CatalogFileError`.
    package init(_ path: String, otherPictures: any PictureSource) async throws {
        // Taken first: a file that comes in between is loaded twice, and not overlooked.
        identity = Mutex(FileIdentity(path))
        let reader = try CatalogFileReader(path)
        catalog = EditableCatalog(try await reader.load())
        pictures = FilePictures(reader, others: otherPictures)
        description = Mutex(reader.description)
        self.path = path
    }

    /// What the file says of itself that is served now.
    package var servedDescription: CatalogDescription { description.withLock { $0 } }

    /// Costs one `stat` unless the file has changed. Not to be called twice at a time.
    package func look() async -> Look {
        let found = FileIdentity(path)
        let isNew = identity.withLock { known in
            defer { known = found }
            return known != found
        }
        guard isNew else { return .unchanged }
        do {
            let reader = try CatalogFileReader(path)
            catalog.replace(with: try await reader.load())
            pictures.replace(with: reader)
            description.withLock { $0 = reader.description }
            return .replaced(reader.description)
        } catch {
            return .refused(CatalogFileError(reading: path, error))
        }
    }
}
