import MarvelDomain
import StoreContract
import Testing

/// The store in memory keeps the contract of every store.
@Suite struct MemoryStoreTests {
    @Test(arguments: FavoritesContract.all) func aStoreInMemoryKeepsTheContract(
        _ contract: FavoritesContract
    ) async throws {
        try await contract.run { capacity, maximumLists in
            MemoryFavoritesStore(capacity: capacity, maximumLists: maximumLists)
        }
    }
}
