internal import MarvelDomain
internal import SQLiteFiles

struct FavoritesTable {
    private let selection: PreparedStatement
    private let insertion: PreparedStatement
    private let deletion: PreparedStatement

    init(_ db: Database) throws {
        selection = try PreparedStatement(
            "SELECT snapshot, saved_revision, checksum FROM favorites WHERE list = ? AND character_id = ?",
            in: db
        )
        insertion = try PreparedStatement(
            "INSERT INTO favorites (list, character_id, saved_revision, snapshot, checksum) VALUES (?, ?, ?, ?, ?)",
            in: db
        )
        deletion = try PreparedStatement("DELETE FROM favorites WHERE list = ? AND character_id = ?", in: db)
    }

    var statements: [PreparedStatement] { [selection, insertion, deletion] }

    /// - Throws: `DamagedList` if the favorite is missing, or differs from the written one.
    func stored(_ id: Int64, on list: ListName, _ snapshots: RecentSnapshots) throws -> StoredFavorite {
        var stored: StoredFavorite?
        let damaged = DamagedList(list: list, problem: .favorite(id))
        try selection.run { values in
            values.add(list.text)
            values.add(id)
        } forEachRow: { row in
            stored = try DamagedList.reading(list, damaged.problem) {
                try row.withUTF8(at: 0) { text in
                    try snapshots.favorite(id, on: list, text: text) {
                        let checksum = RowChecksum.ofFavorite(
                            id,
                            on: list,
                            savedRevision: try row.integer(at: 1),
                            text: UnsafeRawBufferPointer(text)
                        )
                        guard try row.integer(at: 2) == checksum else { throw damaged }
                    }
                }
            }
        }
        guard let stored else { throw damaged }
        return stored
    }

    func insert(_ stored: StoredFavorite, on list: ListName, revision: Int64) throws {
        try insertion.run { values in
            values.add(list.text)
            let id = stored.favorite.character.id
            values.add(id)
            values.add(revision)
            values.add(utf8: stored.text)
            values.add(
                stored.text.withUnsafeBytes { text in
                    RowChecksum.ofFavorite(id, on: list, savedRevision: revision, text: text)
                }
            )
        }
    }

    func delete(_ id: Int64, from list: ListName) throws {
        try deletion.run { values in
            values.add(list.text)
            values.add(id)
        }
    }

    /// The favorites on a list, also damaged ones. Those with a value of another type than its column declares are left
    /// out.
    static func rows(on list: ListName, in db: Database) throws -> [StoreRecord.Favorite] {
        let sql = "SELECT character_id, saved_revision, snapshot FROM favorites WHERE list = ? ORDER BY saved_revision"
        return try db.all(sql, list.text) { row in
            try? StoreRecord.Favorite(id: row.read(at: 0), savedRevision: row.read(at: 1), text: row.utf8(at: 2))
        }
        .compactMap(\.self)
    }
}
