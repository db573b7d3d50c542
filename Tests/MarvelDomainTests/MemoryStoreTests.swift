import MarvelDomain
import StoreContract
import Testing

/// The store in memory keeps the contract of every store.
@Suite struct MemoryStoreTests {
    private struct Stage: FavoritesContract.Stage {
        let clock = ContractClock()

        func make(_ limits: FavoritesContract.Limits) -> any FavoritesStore {
            MemoryFavoritesStore(
                capacity: limits.capacity,
                maximumLists: limits.maximumLists,
                changesPerList: limits.changesPerList,
                now: { [clock] in clock.now }
            )
        }

        func reopen(_ store: any FavoritesStore, capacity: Int) throws -> any FavoritesStore {
            try #require(store as? MemoryFavoritesStore).reopen(capacity: capacity)
            return store
        }
    }

    @Test(arguments: FavoritesContract.all) func aStoreInMemoryKeepsTheContract(
        _ contract: FavoritesContract
    ) async throws {
        try await contract.run(on: Stage())
    }
}
