internal import GRDB
package import MarvelDomain
internal import Synchronization

extension SQLiteFavoritesStore {
    package func favoriteIDs(_ list: ListName) -> [Int64] {
        state.withLock { $0.lists[list]?.ids } ?? []
    }

    package var history: HistoryID { state.withLock(\.history.id) }

    package func reach(_ revision: Int64, of list: ListName) async throws(StoreError) -> Bool {
        if let known = state.withLock({ $0.lists[list]?.revision }), known >= revision { return true }
        // A revision that readers have seen on disk is in memory once the writer's queue has reached this task.
        let result: Result<Int64, StoreError> = await withCheckedContinuation { continuation in
            database.asyncWriteWithoutTransaction { [self] db in
                let result = Result { try ListsTable.revision(of: list, in: db) }
                continuation.resume(returning: result.mapError { .notReadable(fault($0, in: "a read").text) })
            }
        }
        return try result.get() >= revision
    }

    package func favorites(_ list: ListName) async throws(StoreError) -> FavoritesList {
        try await read { [capacity = limits.capacity] db in
            FavoritesList(
                favorites: try FavoritesTable.favorites(on: list, in: db),
                revision: try ListsTable.revision(of: list, in: db),
                capacity: capacity
            )
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

    package func observeChanges(_ observer: @escaping @Sendable (ListName, FavoritesChange) -> Void) {
        self.observer.withLock { $0 = ChangesObserver(receive: observer) }
    }
}
