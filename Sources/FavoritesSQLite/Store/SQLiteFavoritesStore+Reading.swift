internal import GRDB
package import MarvelDomain
internal import Synchronization

extension SQLiteFavoritesStore {
    package var history: HistoryID { state.withLock(\.history.id) }

    package func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot {
        try await read { [capacity = limits.capacity, history] db in
            let contents = FavoritesList(
                favorites: try FavoritesTable.favorites(on: list, in: db),
                revision: try ListsTable.revision(of: list, in: db),
                capacity: capacity
            )
            return ListSnapshot(contents, in: history)
        }
    }

    /// Reads in one transaction, so that all reads see the same state.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            database.asyncRead { [self] db in
                let result = Result { try body(db.get()) }
                continuation.resume(
                    returning: result.mapError { .notReadable(fault($0, in: "a read").text) }
                )
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
            let current = try ListsTable.revision(of: list, in: db)
            guard revision <= current else { return .ahead(current: current) }
            guard revision < current else { return .changes([]) }
            let oldest = try ChangesTable.oldestComplete(of: list, at: current, in: db)
            guard revision >= oldest else { return .compacted(oldest: oldest) }
            return .changes(try ChangesTable.changes(of: list, after: revision, limit: limit, in: db))
        }
    }
}
