package import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

extension SQLiteFavoritesStore {
    package var history: HistoryID { state.withLock(\.history.id) }

    package func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot {
        try await read { [capacity = limits.capacity, history] db in
            let rows = try ListRows.read(list, withTexts: true, in: db)
            let favorites = try DamagedList.reading(list) {
                try rows?.favorites.map { try FavoriteJSON.favorite(utf8: $0.text) } ?? []
            }
            let contents = FavoritesList(
                favorites: favorites,
                revision: try rows?.state.revision ?? StoreHistory.read(db).base,
                capacity: capacity
            )
            return ListSnapshot(contents, in: history)
        }
    }

    package func lists(
        prefix: String,
        after: ListName?,
        limit: Int
    ) async throws(StoreError) -> [ListSummary] {
        let (lists, damaged) = try await read { db in
            try ListsTable.summaries(prefix: prefix, after: after, limit: limit, in: db)
        }
        for damage in damaged { note(damage) }
        return lists
    }

    /// Reads in one transaction, so that all reads see the same state.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            database.read(body) { [self] result in
                continuation.resume(returning: result.mapError { readError($0, in: "a read") })
            }
        }
        return try result.get()
    }
}

extension SQLiteFavoritesStore {
    package func changes(
        of list: ListName,
        after revision: Int64,
        limit: Int
    ) async throws(StoreError) -> ChangeHistory {
        try await read { db in
            let current = try ListRows.read(list, in: db)?.state.revision ?? StoreHistory.read(db).base
            guard revision != current else { return .changes([]) }
            return try ChangesTable.history(of: list, after: revision, at: current, limit: limit, in: db)
        }
    }
}

/// The characters on lists. There are no former pictures: they were moved when the store was opened.
extension SQLiteFavoritesStore: FavoriteCharacters {
    package func favorites(among ids: Set<Int64>) async throws(StoreError) -> Set<Int64> {
        state.withLock { state in ids.filter(state.held.contains) }
    }

    package func favoriteCharacters(
        excluding excluded: Set<Int64>,
        limit: Int
    ) async throws(StoreError) -> [MarvelCharacter] {
        try await read { [self] db in
            var seen = excluded
            let missingCount = state.withLock { $0.held.count(excluding: seen) }
            var characters: [MarvelCharacter] = []
            let rows = try db.rows("SELECT list, character_id, saved_revision, snapshot, checksum FROM favorites")
            while characters.count < min(limit, missingCount), let row = try rows.next() {
                let id: Int64 = try row.read(at: 1)
                // Another list may have the character if this row is damaged.
                guard !seen.contains(id), state.withLock({ $0.held.contains(id) }),
                    let values = try? row.verifiedValues(),
                    let favorite = try? FavoriteJSON.favorite(values[3].decoded())
                else { continue }
                seen.insert(id)
                characters.append(favorite.character)
            }
            return characters
        }
    }
}
