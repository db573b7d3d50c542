internal import MarvelDomain
internal import SQLiteFiles

/// A list for a reader. Its rows match their checksums.
struct StoredList {
    /// For an unknown name, the one with which a list of that name would begin.
    var revision: Int64
    /// Oldest first.
    var rows: [StoreRecord.Favorite]

    /// - Throws: `JSONError` if a text is not a favorite.
    func favorites() throws -> [Favorite] { try rows.map { try FavoriteJSON.favorite(utf8: $0.text) } }

    /// - Throws: `DamagedList` if its rows differ from the written ones, or errors of SQLite.
    static func read(_ list: ListName, in db: Database) throws -> StoredList {
        var rows: [StoreRecord.Favorite] = []
        let cursor = try db.rows(
            "SELECT character_id, saved_revision, snapshot, checksum FROM favorites WHERE list = ?",
            list.text
        )
        while let row = try cursor.next() {
            let id: Int64 = try DamagedList.reading(list) { try row.read(at: 0) }
            let damaged = DamagedList(list: list, problem: .favorite(id))
            try DamagedList.reading(list, damaged.problem) {
                let favorite = StoreRecord.Favorite(
                    id: id,
                    savedRevision: try row.read(at: 1),
                    text: try row.utf8(at: 2)
                )
                guard try row.integer(at: 3) == favorite.checksum(on: list) else { throw damaged }
                rows.append(favorite)
            }
        }
        rows.sort { $0.savedRevision < $1.savedRevision }
        return StoredList(revision: try revision(of: list, ids: rows.map(\.id), in: db), rows: rows)
    }

    /// Reads a list without the contents of its favorites. An unknown name has the base as its revision.
    ///
    /// - Throws: `DamagedList` if the list's row, or the ids on it, differ from the written ones.
    static func summary(of list: ListName, in db: Database) throws -> ListSummary {
        let ids = try db.all("SELECT character_id FROM favorites WHERE list = ? ORDER BY saved_revision", list.text) {
            row in
            try DamagedList.reading(list) { try row.read(at: 0, as: Int64.self) }
        }
        return ListSummary(name: list, revision: try revision(of: list, ids: ids, in: db), ids: ids)
    }

    private static func revision(of list: ListName, ids: [Int64], in db: Database) throws -> Int64 {
        let sql = "SELECT revision, digest, log_bytes, deletion IS NULL, checksum FROM lists WHERE name = ?"
        let stored = try db.first(sql, list.text) { row in
            try DamagedList.reading(list) {
                var state = try ListState(of: list, row, from: 0)
                state.ids = ids
                let checksum = state.checksum(of: list, exists: try row.read(at: 3))
                guard try row.integer(at: 4) == checksum else { throw DamagedList(list: list, problem: .row) }
                return state.revision
            }
        }
        if let stored { return stored }
        guard ids.isEmpty else { throw DamagedList(list: list, problem: .noRow) }
        return try StoreHistory.read(db).base
    }
}

extension StoreRecord.Favorite {
    func checksum(on list: ListName) -> Int64 {
        text.withUnsafeBytes { text in
            RowChecksum.ofFavorite(id, on: list, savedRevision: savedRevision, text: text)
        }
    }
}
