internal import MarvelDomain
internal import SQLiteFiles

/// The effect of a lowered capacity: each list that is too long loses its oldest favorites, in one change that names
/// them. A damaged list stays as it is.
enum CapacityChange {
    /// Trims all lists in one transaction, and writes the changes into their logs.
    static func apply(
        _ limits: StoreLimits,
        refusing damagedLists: Set<ListName>,
        in tables: StoreTables
    ) throws {
        let tooLong = try FavoritesTable.lists(longerThan: limits.capacity, in: tables.db)
        guard !tooLong.isEmpty else { return }
        try tables.db.committed {
            for name in tooLong {
                do {
                    try trim(name, limits, refusing: damagedLists, in: tables)
                } catch is DamagedList {
                    // The audit has reported it.
                }
            }
        }
    }

    private static func trim(
        _ name: ListName,
        _ limits: StoreLimits,
        refusing damagedLists: Set<ListName>,
        in tables: StoreTables
    ) throws {
        let list = try OpenList(name, base: 0, refusing: damagedLists, in: tables)
        guard list.hadRow else { return }
        let edit = try limits.rules.trim(list.state.ids) { try list.favorite($0, in: tables) }
        if let edit { _ = try list.write(edit, in: tables) }
        _ = try list.finish(keeping: limits.changesPerList, in: tables)
    }
}
