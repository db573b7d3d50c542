internal import GRDB
internal import MarvelDomain
internal import SQLiteFiles

/// A list as a reader finds it. Its rows match their checksums.
struct StoredList {
    /// The revision; for an unknown name the one with which a list of that name would begin.
    var revision: Int64
    /// The rows of the favorites, oldest first.
    var rows: [StoreRecord.Favorite]

    var ids: [Int64] { rows.map(\.id) }

    /// - Throws: `JSONError` if a text is not a favorite.
    func favorites() throws -> [Favorite] { try rows.map { try FavoriteJSON.favorite(utf8: $0.text) } }

    /// Reads a list.
    ///
    /// - Throws: `DamagedList` if its rows differ from what was written, or errors of SQLite.
    static func read(_ list: ListName, in db: Database) throws -> StoredList {
        let favorites = try db.cachedStatement(
            sql: "SELECT character_id, saved_revision, snapshot, checksum FROM favorites WHERE list = ?"
        )
        var rows: [StoreRecord.Favorite] = []
        let cursor = try Row.fetchCursor(favorites, arguments: [list.text])
        while let row = try cursor.next() {
            let values = Array(row.databaseValues)
            let id: Int64 = try DamagedList.reading(list) { try row.read(at: 0) }
            let damaged = DamagedList(list: list, problem: .favorite(id))
            // GRDB reads a blob as a text too.
            guard case .string(let text) = values[2].storage else { throw damaged }
            let favorite = try DamagedList.reading(list, damaged.problem) {
                StoreRecord.Favorite(id: id, savedRevision: try row.read(at: 1), text: Array(text.utf8))
            }
            guard Int64.fromDatabaseValue(values[3]) == favorite.checksum(on: list) else {
                throw damaged
            }
            rows.append(favorite)
        }
        rows.sort { $0.savedRevision < $1.savedRevision }
        return StoredList(revision: try revision(of: list, ids: rows.map(\.id), in: db), rows: rows)
    }

    /// Returns the revision of a list, also of a deleted one; the base if there was never a list of that name. It does not
    /// read the contents of the favorites.
    ///
    /// - Throws: `DamagedList` if the list's row, or the ids on it, differ from what was written.
    static func revision(of list: ListName, in db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: "SELECT character_id FROM favorites WHERE list = ? ORDER BY saved_revision"
        )
        let rows = try Row.fetchAll(statement, arguments: [list.text])
        let ids = try DamagedList.reading(list) { try rows.map { try $0.read(at: 0, as: Int64.self) } }
        return try revision(of: list, ids: ids, in: db)
    }

    private static func revision(of list: ListName, ids: [Int64], in db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: "SELECT revision, digest, log_bytes, deletion IS NULL, checksum FROM lists WHERE name = ?"
        )
        guard let row = try Row.fetchOne(statement, arguments: [list.text]) else {
            guard ids.isEmpty else { throw DamagedList(list: list, problem: .noRow) }
            return try StoreHistory.read(db).base
        }
        var state = try ListState(of: list, row, from: 0)
        state.ids = ids
        let checksum = state.checksum(of: list, exists: try row.read(at: 3))
        guard Int64.fromDatabaseValue(Array(row.databaseValues)[4]) == checksum else {
            throw DamagedList(list: list, problem: .row)
        }
        return state.revision
    }
}

extension StoreRecord.Favorite {
    /// Returns the checksum of the row.
    func checksum(on list: ListName) -> Int64 {
        text.withUnsafeBytes { text in
            RowChecksum.ofFavorite(id, on: list, savedRevision: savedRevision, text: text)
        }
    }
}
