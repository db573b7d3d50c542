internal import GRDB
internal import MarvelDomain

extension CatalogFileWriter {
    /// Copies the characters and pictures of another catalog file, and runs `body`, in one transaction.
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
    /// Returns the next characters after an id, ordered by id.
    func characters(after id: Int64, limit: Int) throws -> [MarvelCharacter] {
        try Row.fetchAll(
            db,
            sql: "SELECT id, message FROM characters WHERE id > ? ORDER BY id LIMIT ?",
            arguments: [id, limit]
        ).map(CatalogTables.character)
    }

    /// Records that the current pass has read a character.
    ///
    /// - Returns: Whether the pass had not read it before.
    func noteMet(_ id: Int64) throws -> Bool {
        try db.execute(sql: "CREATE TABLE IF NOT EXISTS met (id INTEGER NOT NULL PRIMARY KEY)")
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO met (id) VALUES (?)").execute(arguments: [id])
        return db.changesCount == 1
    }

    /// Removes the characters that the pass has not read, with their pictures.
    ///
    /// - Returns: The number of removed characters.
    func removeUnmet() throws -> Int {
        try db.execute(sql: "DELETE FROM pictures WHERE character_id NOT IN (SELECT id FROM met)")
        try db.execute(sql: "DELETE FROM characters WHERE id NOT IN (SELECT id FROM met)")
        return db.changesCount
    }

    /// Forgets which characters were read, for a new pass. No finished file has this table.
    func forgetMet() throws { try db.execute(sql: "DROP TABLE IF EXISTS met") }

    func removePictures(of id: Int64) throws {
        try db.cachedStatement(sql: "DELETE FROM pictures WHERE character_id = ?").execute(arguments: [id])
    }

    /// Empties an unfinished catalog, except for its progress if `keepsProgress`.
    func removeAll(keepingProgress keepsProgress: Bool) throws {
        for table in ["characters", "pictures", "sources", "finished"] { try db.execute(sql: "DELETE FROM \(table)") }
        try forgetMet()
        if !keepsProgress { try db.execute(sql: "DELETE FROM progress") }
    }
}
