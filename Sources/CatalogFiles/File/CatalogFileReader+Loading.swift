package import Catalog
internal import MarvelDomain
internal import WireMessages

extension CatalogFileReader {
    /// Loads all characters into a catalog in memory. This takes seconds for a million characters, on a separate
    /// thread.
    ///
    /// - Throws: `CatalogFileError`.
    package func load() async throws -> InMemoryCatalog {
        try await onOwnQueue { [self] in
            try withCharacters { characters in
                InMemoryCatalog(characters, kind: .file, attribution: description.attribution, source: .file)
            }
        }
    }
}
