package import MarvelDomain
internal import SQLiteFiles

package enum StoredLists {
    package struct Summary: Sendable, Hashable {
        package let name: String
        package let favoriteCount: Int
        package let revision: Int64
        package let logBytes: Int64
        package let owner: ListOwner
        /// Whether its rows are damaged. A server refuses the list.
        package let isDamaged: Bool
    }

    /// A server may have the store open. The lists are sorted by name.
    ///
    /// - Throws: An error if it is not a store, or cannot be read.
    package static func read(_ path: String) throws(FavoritesStoreOpenError) -> [Summary] {
        try requireStore(at: path)
        do {
            let db = try StoreConnection.openReadOnly(path)
            return try db.reading {
                try StoreInspection.checkIdentity(db, path: path)
                return try StoreSchema.newest(db) { try summaries(in: $0) }
            }
        } catch {
            throw FavoritesStoreOpenError(opening: path, error)
        }
    }

    /// Deletes a list of a store that no server has open. `onNotice` gets other changes of the store, in words for the
    /// operator.
    ///
    /// - Returns: The list's last revision; nil if there is no such list.
    /// - Throws: An error if it was not deleted.
    package static func delete(
        _ list: ListName,
        from path: String,
        onNotice: (String) -> Void
    ) async throws(FavoritesStoreOpenError) -> Int64? {
        let result: Result<ListDeletion, StoreError> = try await change(path, onNotice: onNotice) { store in
            do throws(StoreError) { return .success(try await store.delete(list)) } catch { return .failure(error) }
        }
        switch result {
        case .success(let deleted): return deleted.existed ? deleted.revision : nil
        case .failure(let error):
            throw FavoritesStoreOpenError(code: .notWritable, message: "list \(list) was not deleted: \(error)")
        }
    }

    /// Opens a store that no server has open, changes it, and closes it. `onNotice` gets other changes of the store, in
    /// words for the operator.
    ///
    /// - Throws: An error if there is no store, or if it cannot be opened.
    package static func change<Result>(
        _ path: String,
        onNotice: (String) -> Void,
        _ body: (SQLiteFavoritesStore) async -> Result
    ) async throws(FavoritesStoreOpenError) -> Result {
        try requireStore(at: path)
        let store = try openForOperator(path, onNotice)
        let result = await body(store)
        await store.close()
        return result
    }

    /// Only the server knows its limits. With these limits, no list is trimmed, no name dropped, and no other change
    /// deleted.
    static func openForOperator(
        _ path: String,
        _ onNotice: (String) -> Void
    ) throws(FavoritesStoreOpenError) -> SQLiteFavoritesStore {
        let store = try SQLiteFavoritesStore(
            path: path,
            capacity: StoreLimits.capacities.upperBound,
            maximumLists: .max,
            maximumListsPerOwner: 0,
            retention: StoreRetention(answers: .max, changesPerList: .max)
        )
        store.openingReport.notices.forEach(onNotice)
        return store
    }

    private static func summaries(in db: Database) throws -> [Summary] {
        let rows = try db.rows(
            """
            SELECT name, revision, digest, log_bytes, (SELECT count(*) FROM favorites WHERE list = name), owner
            FROM lists WHERE deletion IS NULL ORDER BY name
            """
        )
        var summaries: [Summary] = []
        while let row = try rows.next() {
            // A check of the store reports an invalid name.
            guard let name = try? ListName(stored: row.read(at: 0)) else { continue }
            let state = try? ListState(of: name, row, from: 1)
            let owner = try? ListOwner(inRow: row.readIfPresent(at: 5))
            summaries.append(
                Summary(
                    name: name.text,
                    favoriteCount: try row.read(at: 4),
                    revision: state?.revision ?? 0,
                    logBytes: state?.logBytes ?? 0,
                    owner: owner ?? .nobody,
                    isDamaged: try owner == nil || isDamaged(name, in: db)
                )
            )
        }
        return summaries
    }

    private static func isDamaged(_ list: ListName, in db: Database) throws -> Bool {
        do {
            _ = try StoredList.read(list, in: db)
            return false
        } catch is DamagedList {
            return true
        }
    }

    static func requireStore(at path: String) throws(FavoritesStoreOpenError) {
        guard try StorePresence.check(at: path) == .store else {
            throw FavoritesStoreOpenError(code: .notAStore, message: "no store at \(path)")
        }
    }
}
