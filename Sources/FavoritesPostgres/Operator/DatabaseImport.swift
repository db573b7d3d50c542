internal import FavoritesEngine
package import MarvelDomain

extension PostgresFavoritesStore {
    /// Opens the store for a command that changes it, like another server. With the limits here, no name is dropped, and no
    /// answer and no other change deleted. Unless `isCreating`, there must be a store.
    package static func forOperator(
        _ address: DatabaseAddress,
        isCreating: Bool = false,
        now: @escaping @Sendable () -> Timestamp
    ) throws -> PostgresFavoritesStore {
        if !isCreating {
            try FavoritesDatabaseError.converting(address) {
                try PostgresConnection.forOperator(address).requireStore()
            }
        }
        let settings = Settings(maximumLists: .max, maximumListsPerOwner: 0, answers: .max, changesPerList: .max)
        return try PostgresFavoritesStore(address, settings: settings, now: now)
    }
}

extension PostgresFavoritesStore: ListTarget {
    package func replace(_ line: ListLine) async throws(StoreError) -> Bool {
        let stored = try await reader.run { connection throws(DatabaseFault) in
            try LoadedLists(connection.run(.readLists, [line.name]), of: [line.name]).lists[0].get()
        }
        let owner = stored.owner.flatMap(ListOwner.init(stored:)) ?? .nobody
        return try await replace(line, over: stored.exists ? stored.favorites : nil, of: owner)
    }
}
