internal import GRDB
internal import MarvelDomain

extension CatalogFileWriter {
    /// Takes over the characters and pictures of another catalog file and does something more, in one transaction.
    func copy(_ path: String, then body: (borrowing CatalogBatch) throws -> Void) throws {
        do {
            try database.writeWithoutTransaction { db in
                try db.execute(sql: "ATTACH DATABASE ? AS older", arguments: [path])
                defer { try? db.execute(sql: "DETACH DATABASE older") }
                try db.inTransaction(.immediate) {
                    try db.execute(
                        sql: """
                            INSERT INTO main.characters (id, name, message)
                            SELECT id, name, message FROM older.characters;
                            INSERT INTO main.pictures (character_id, variant, media_type, is_placeholder, bytes)
                            SELECT character_id, variant, media_type, is_placeholder, bytes FROM older.pictures;
                            """
                    )
                    try body(CatalogBatch(db: db))
                    return .commit
                }
            }
        } catch let error as DatabaseError {
            throw CatalogFileError(writing: partial, error)
        }
    }
}

extension CatalogBatch {
    /// Characters with larger ids, by id.
    func characters(after id: Int64, limit: Int) throws -> [MarvelCharacter] {
        try Row.fetchAll(
            db,
            sql: "SELECT id, message FROM characters WHERE id > ? ORDER BY id LIMIT ?",
            arguments: [id, limit]
        ).map(CatalogTables.character)
    }

    func removePictures(of id: Int64) throws {
        try db.cachedStatement(sql: "DELETE FROM pictures WHERE character_id = ?").execute(arguments: [id])
    }

    /// Leaves an unfinished catalog without anything in it, or with nothing but its notes of progress.
    func removeAll(keepingProgress keepsProgress: Bool) throws {
        for table in ["characters", "pictures", "sources", "finished"] { try db.execute(sql: "DELETE FROM \(table)") }
        if !keepsProgress { try db.execute(sql: "DELETE FROM progress") }
    }
}
