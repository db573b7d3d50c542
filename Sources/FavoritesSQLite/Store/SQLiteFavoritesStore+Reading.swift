package import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

extension SQLiteFavoritesStore {
    package var history: HistoryID { state.withLock(\.history.id) }

    package func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot {
        try await read { [capacity = limits.capacity, history] db in
            let stored = try StoredList.read(list, in: db)
            let contents = FavoritesList(
                favorites: try stored.favorites(),
                revision: stored.revision,
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
            let current = try StoredList.summary(of: list, in: db).revision
            guard revision <= current else { return .ahead(current: current) }
            guard revision < current else { return .changes([]) }
            return try ChangesTable.history(of: list, after: revision, at: current, limit: limit, in: db)
        }
    }
}
