internal import GRDB
package import MarvelDomain

/// A transaction on a catalog file, valid only inside of `CatalogFileWriter.write`.
package struct CatalogBatch: ~Copyable {
    let db: Database

    init(db: Database) { self.db = db }

    /// Adds a character, or replaces the one with its id.
    package func put(_ character: MarvelCharacter) throws { try CatalogTables.put(character, in: db) }

    package func character(id: Int64) throws -> MarvelCharacter? { try CatalogTables.character(id: id, in: db) }

    package func characterCount() throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM characters") ?? 0
    }

    /// Removes a character with its pictures.
    package func removeCharacter(id: Int64) throws { try CatalogTables.removeCharacter(id: id, in: db) }

    /// Adds a picture, or replaces the one of the same character and variant.
    package func put(_ picture: Picture, of id: Int64, _ variant: ImageVariant) throws {
        try CatalogTables.put(picture, of: id, variant, in: db)
    }

    /// Returns the variants in which there are pictures of a character.
    package func variants(of id: Int64) throws -> [ImageVariant] { try CatalogTables.variants(of: id, in: db) }

    package func add(_ origin: CatalogOrigin) throws { try CatalogTables.add(origin, in: db) }

    package func origins() throws -> [CatalogOrigin] { try CatalogTables.origins(in: db) }

    package func removeOrigins() throws { try CatalogTables.removeOrigins(in: db) }

    /// Returns the progress that was stored under a name; nil if there is none.
    package func progress(_ name: String) throws -> String? { try CatalogTables.progress(name, in: db) }

    /// Stores the progress of writing the file under a name, in a format of the caller's own. Nil removes it. All
    /// progress is removed when the file is finished.
    package func setProgress(_ name: String, _ value: String?) throws {
        try CatalogTables.setProgress(name, value, in: db)
    }
}
