internal import MarvelDomain
internal import SQLiteFiles

/// The characters on any list, with the number of lists of each. It grows with the characters, and not with the lists.
///
/// An index by character would do the same, and slow down every toggle.
struct HeldCharacters: Sendable, Equatable {
    private var listCounts: [Int64: Int] = [:]

    /// The lists in `damaged` are not counted.
    ///
    /// - Throws: Errors of SQLite.
    init(reading db: Database, excluding damaged: Set<ListName> = []) throws {
        let rows = try db.rows(
            """
            SELECT favorites.character_id FROM favorites JOIN lists ON lists.name = favorites.list
            WHERE lists.deletion IS NULL AND favorites.list NOT IN (SELECT value FROM json_each(?))
            """,
            JSONValue.array(damaged.map { .string($0.text) }).line
        )
        while let row = try rows.next() {
            // A value of another type is on a list with an invalid name.
            if let id = Int64(try row.read(at: 0)) { listCounts[id, default: 0] += 1 }
        }
    }

    func contains(_ id: Int64) -> Bool { listCounts[id] != nil }

    func count(excluding ids: Set<Int64>) -> Int { listCounts.keys.count { !ids.contains($0) } }

    mutating func apply(_ change: FavoritesChange) {
        if let saved = change.saved { listCounts[saved.character.id, default: 0] += 1 }
        change.forEachLeavingID { id in
            let count = listCounts[id] ?? 0
            listCounts[id] = count > 1 ? count - 1 : nil
        }
    }
}
