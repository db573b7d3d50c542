internal import GRDB
internal import MarvelDomain

/// The effect of a lowered capacity: each list that is too long loses its oldest favorites, in one change that names
/// them.
enum CapacityChange {
    /// Trims `lists` in one transaction, and writes the changes into their logs.
    static func apply(_ limits: StoreLimits, to lists: inout [ListName: ListState], in db: Database) throws {
        let tooLong = lists.filter { $0.value.ids.count > limits.capacity }
        guard !tooLong.isEmpty else { return }
        let trimmed = try db.committed {
            var trimmed: [ListName: ListState] = [:]
            for (list, before) in tooLong {
                var state = before
                let edit = try limits.rules.trim(before.ids) { try FavoritesTable.stored($0, on: list, in: db) }
                _ = try edit?.write(to: list, &state, in: db)
                try ListsTable.finish(&state, of: list, after: before, keeping: limits.changesPerList, in: db)
                trimmed[list] = state
            }
            return trimmed
        }
        lists.merge(trimmed) { $1 }
    }
}
