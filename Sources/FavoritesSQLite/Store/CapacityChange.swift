internal import GRDB
internal import MarvelDomain

/// The effect of a lowered capacity: each list that is too long loses its oldest favorites, in one change that names
/// them.
enum CapacityChange {
    /// Trims all lists in one transaction, and writes the changes into their logs.
    static func apply(_ limits: StoreLimits, in db: Database) throws {
        let tooLong = try FavoritesTable.lists(longerThan: limits.capacity, in: db)
        guard !tooLong.isEmpty else { return }
        try db.committed {
            for list in tooLong {
                guard let before = try ListsTable.list(list, in: db)?.state else { continue }
                var state = before
                let edit = try limits.rules.trim(before.ids) { try FavoritesTable.stored($0, on: list, in: db) }
                _ = try edit?.write(to: list, &state, in: db)
                try ListsTable.finish(&state, of: list, after: before, keeping: limits.changesPerList, in: db)
            }
        }
    }
}
