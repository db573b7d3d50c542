internal import FavoritesEngine
package import MarvelDomain
internal import SQLiteFiles

package enum StoredLists {
    /// Writes all lists and edits of a store as text. A server may have the store open: the text is its state at one moment. One
    /// list at a time is in memory.
    ///
    /// - Throws: `FavoritesStoreOpenError` if it is not a store, or cannot be read; or the error of `write`.
    package static func export(_ path: String, _ write: ([UInt8]) throws -> Void) throws -> ListsExport {
        try StorePresence.requireStore(at: path)
        do {
            return try StoreConnection.read(path, limitsTime: false) { db in
                var export = ListsExport()
                export.damagedLists = try ListsTable.missing(in: db).compactMap(\.self)
                try ListsTable.forEachRecord(in: db) {
                    if let name = $0 { export.damagedLists.append(name) } else { export.invalidNameCount += 1 }
                } _: {
                    try export.write($0, write)
                }
                let (edits, damaged) = try EditsTable.all(in: db)
                export.damagedEdits = damaged.map(\.characterID)
                for edited in edits {
                    do {
                        try export.write(edited, EditsTable.picture(of: edited.id, in: db), write)
                    } catch let damage as DamagedEdit {
                        export.damagedEdits.append(damage.characterID)
                    }
                }
                return export
            }
        } catch let error as DatabaseError {
            throw FavoritesStoreOpenError(opening: path, error)
        }
    }
}

extension SQLiteFavoritesStore {
    /// Opens a store that no server has open, for a command that changes it. Only the server knows its limits. With the
    /// limits here, no list is trimmed, no name dropped, and no other change deleted. `onNotice` gets other changes of
    /// the store, in words for the operator. Unless `isCreating`, the store must exist.
    package static func forOperator(
        _ path: String,
        isCreating: Bool = false,
        onNotice: (String) -> Void
    ) throws(FavoritesStoreOpenError) -> SQLiteFavoritesStore {
        if !isCreating { try StorePresence.requireStore(at: path) }
        let store = try SQLiteFavoritesStore(
            path: path,
            capacity: ListRules.capacities.upperBound,
            maximumLists: .max,
            maximumListsPerOwner: 0,
            retention: StoreRetention(answers: .max, changesPerList: .max)
        )
        store.openingReport.notices.forEach(onNotice)
        return store
    }
}

extension SQLiteFavoritesStore: ListTarget {
    /// The store is not served meanwhile.
    package func replace(_ line: ListLine) async throws(StoreError) -> Bool {
        let stored = try await read { db in try ListsTable.record(of: line.name, in: db) }
        let favorites = stored.flatMap { list in
            try? list.favorites.map { favorite in try FavoriteJSON.favorite(utf8: favorite.text) }
        }
        return try await replace(line, over: favorites, of: stored?.owner ?? .nobody)
    }
}
