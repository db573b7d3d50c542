internal import GRDB
internal import MarvelDomain

/// The characters on any list, with the number of lists that hold each. It grows with the characters, and not with the
/// lists.
///
/// An index by character would give the same, and slow down every toggle.
struct HeldCharacters: Sendable, Equatable {
    private var listCounts: [Int64: Int] = [:]

    /// Counts all favorites of a store.
    ///
    /// - Throws: `SQLITE_CORRUPT` if a favorite is of a list that does not exist.
    init(reading db: Database) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT favorites.character_id, lists.name IS NOT NULL
                FROM favorites LEFT JOIN lists ON lists.name = favorites.list AND lists.deletion IS NULL
                """
        )
        while let row = try rows.next() {
            guard try row.decode(Bool.self, atIndex: 1) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a favorite is on no list")
            }
            listCounts[try row.decode(atIndex: 0), default: 0] += 1
        }
    }

    func contains(_ id: Int64) -> Bool { listCounts[id] != nil }

    /// Returns the number of characters that are not in a set.
    func count(excluding ids: Set<Int64>) -> Int { listCounts.keys.count { !ids.contains($0) } }

    /// Applies a change of a list.
    mutating func apply(_ change: FavoritesChange) {
        if let saved = change.saved { listCounts[saved.character.id, default: 0] += 1 }
        change.forEachLeavingID { id in
            let count = listCounts[id] ?? 0
            listCounts[id] = count > 1 ? count - 1 : nil
        }
    }
}
