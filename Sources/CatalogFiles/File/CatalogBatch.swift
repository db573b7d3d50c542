internal import GRDB
package import MarvelDomain

/// A transaction on a catalog file, valid only inside of `CatalogFileWriter.write`.
package struct CatalogBatch: ~Copyable {
    let db: Database

    init(db: Database) { self.db = db }

    /// Adds a character, or replaces the one with its id.
    package func put(_ character: MarvelCharacter) throws { try CatalogTables.put(character, in: db) }

    /// Adds a picture, or replaces the one of the same character and variant.
    package func put(_ picture: Picture, of id: Int64, _ variant: ImageVariant) throws {
        try CatalogTables.put(picture, of: id, variant, in: db)
    }

    /// Returns the variants in which there are pictures of a character.
    package func variants(of id: Int64) throws -> [ImageVariant] { try CatalogTables.variants(of: id, in: db) }

    package func add(_ origin: CatalogOrigin) throws { try CatalogTables.add(origin, in: db) }
}
