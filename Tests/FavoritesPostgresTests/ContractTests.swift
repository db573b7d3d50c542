internal import MarvelDomain
internal import StoreContract
internal import Synchronization
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// A store in PostgreSQL keeps the contract of every store. The random histories in it compare the functions of the
/// schema with `ListRules`.
@Suite(.needsPostgres) struct ContractTests {
    @Test(arguments: FavoritesContract.all) func aStoreKeepsTheContract(_ contract: FavoritesContract) async throws {
        let server = try await PostgresServer.shared()
        let made = Mutex<[PostgresFavoritesStore]>([])
        try await contract.run { capacity, maximumLists in
            let settings = PostgresFavoritesStore.Settings(capacity: capacity, maximumLists: maximumLists)
            let store = try await PostgresFavoritesStore.open(try await server.makeDatabase(), settings)
            made.withLock { $0.append(store) }
            return store
        }
        for store in made.withLock({ $0 }) { await store.close() }
    }

    /// Random calls, by turns through two stores of one database.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func twoStoresOfOneDatabaseDoTogetherWhatTheStoreInMemoryDoes(seed: UInt64) async throws {
        try await withStores(2, .init(capacity: 3, maximumLists: 100)) { _, _, stores in
            var random = SplitMix64(seed: seed)
            let model = MemoryFavoritesStore(capacity: 3, maximumLists: 100, history: stores[0].history)
            for step in 1...200 {
                let store = stores[Int.random(in: 0...1, using: &random)]
                try await RandomStep(step, using: &random).compare(store, with: model)
            }
        }
    }
}
