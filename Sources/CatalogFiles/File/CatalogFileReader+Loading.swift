package import Catalog
internal import MarvelDomain
internal import WireMessages

extension CatalogFileReader {
    /// A catalog of all characters in memory, as fast as any. Making it takes seconds for a million of them, on a thread
    /// of its own.
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
