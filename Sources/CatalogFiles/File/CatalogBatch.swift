internal import GRDB
package import MarvelDomain

/// What can be done to a catalog file in one transaction. Of use only inside of `CatalogFileWriter.write`.
package struct CatalogBatch: ~Copyable {
    let db: Database

    init(db: Database) { self.db = db }

    /// Adds a character, or puts it in the place of the one with its id.
    package func put(_ character: MarvelCharacter) throws { try CatalogTables.put(character, in: db) }

    package func character(id: Int64) throws -> MarvelCharacter? { try CatalogTables.character(id: id, in: db) }

    package func characterCount() throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM characters") ?? 0
    }

    /// Removes a character with its pictures.
    package func removeCharacter(id: Int64) throws { try CatalogTables.removeCharacter(id: id, in: db) }

    /// Adds a picture, or puts it in the place of the one that there was.
    package func put(_ picture: Picture, of id: Int64, _ variant: ImageVariant) throws {
        try CatalogTables.put(picture, of: id, variant, in: db)
    }

    /// In which variants there are pictures of a character.
    package func variants(of id: Int64) throws -> [ImageVariant] { try CatalogTables.variants(of: id, in: db) }

    package func add(_ origin: CatalogOrigin) throws { try CatalogTables.add(origin, in: db) }

    package func origins() throws -> [CatalogOrigin] { try CatalogTables.origins(in: db) }

    package func removeOrigins() throws { try CatalogTables.removeOrigins(in: db) }

    /// What the program that makes the file noted under that name; nil if nothing.
    package func progress(_ name: String) throws -> String? { try CatalogTables.progress(name, in: db) }

    /// Notes how far the making has come, in words of the program's own. Nil takes the note away; all are gone when the
    /// file is finished.
    package func setProgress(_ name: String, _ value: String?) throws {
        try CatalogTables.setProgress(name, value, in: db)
    }
}
