internal import GRDB
internal import MarvelDomain
internal import SQLiteFiles

/// The table of the favorites on each list, with the statements of the writer.
struct FavoritesTable {
    private let selection: PreparedStatement
    private let insertion: PreparedStatement
    private let replacement: PreparedStatement
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
        replacement = try PreparedStatement(
            """
            UPDATE favorites SET snapshot = ?1, checksum = row_checksum(list, character_id, saved_revision, ?1)
            WHERE list = ?2 AND character_id = ?3
            """,
            in: db
        )
        deletion = try PreparedStatement("DELETE FROM favorites WHERE list = ? AND character_id = ?", in: db)
    }

    var statements: [PreparedStatement] { [selection, insertion, replacement, deletion] }

    /// Returns a favorite that is on a list.
    ///
    /// - Throws: `DamagedList` if it is missing, or differs from what was written.
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

    /// Replaces the snapshot of a favorite, which keeps its position.
    func update(_ stored: StoredFavorite, on list: ListName) throws {
        try replacement.run { values in
            values.add(utf8: stored.text)
            values.add(list.text)
            values.add(stored.favorite.character.id)
        }
    }

    func delete(_ id: Int64, from list: ListName) throws {
        try deletion.run { values in
            values.add(list.text)
            values.add(id)
        }
    }

    /// Returns each favorite on a list, also a damaged one; nil if a value is of another type than its column declares.
    static func rows(on list: ListName, in db: Database) throws -> [StoreRecord.Favorite]? {
        let statement = try db.cachedStatement(
            sql: "SELECT character_id, saved_revision, snapshot FROM favorites WHERE list = ? ORDER BY saved_revision"
        )
        let rows = try Row.fetchAll(statement, arguments: [list.text])
        return try? rows.map { row in
            let text: String = try row.read(at: 2)
            return StoreRecord.Favorite(
                id: try row.read(at: 0),
                savedRevision: try row.read(at: 1),
                text: Array(text.utf8)
            )
        }
    }

    /// Returns lists that hold any of some characters, in the order of their names, one page at a time. It reads all
    /// favorites of the lists of a page, and of those between them: there is no index by character.
    ///
    /// - Parameters:
    ///   - ids: The characters.
    ///   - after: The last list of the previous page; nil for the first page.
    ///   - limit: The maximum number of lists to return, above 0.
    ///   - db: A connection to the store.
    /// - Returns: The lists. If they are fewer than `limit` there are no more.
    /// - Throws: Errors of SQLite.
    static func lists(
        holding ids: some Sequence<Int64>,
        after: ListName?,
        limit: Int,
        in db: Database
    ) throws -> [ListName] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT DISTINCT list FROM favorites
                WHERE list > ? AND character_id IN (SELECT value FROM json_each(?)) ORDER BY list LIMIT ?
                """
        )
        let characters = "[" + ids.map(String.init).joined(separator: ",") + "]"
        return try String.fetchAll(statement, arguments: [after?.text ?? "", characters, limit])
            .compactMap { try? ListName(stored: $0) }
    }

    /// Returns the lists that hold more than `count` favorites, without those whose names are damaged.
    static func lists(longerThan count: Int, in db: Database) throws -> [ListName] {
        try String.fetchAll(
            db,
            sql: "SELECT list FROM favorites GROUP BY list HAVING count(*) > ?",
            arguments: [count]
        ).compactMap { try? ListName(stored: $0) }
    }
}
