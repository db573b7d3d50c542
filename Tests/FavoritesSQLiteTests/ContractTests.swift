internal import MarvelDomain
internal import StoreContract
internal import Testing

@testable internal import FavoritesSQLite

/// A store in SQLite keeps the contract of every store.
@Suite struct ContractTests {
    @Test(arguments: FavoritesContract.all) func aStoreKeepsTheContract(_ contract: FavoritesContract) async throws {
        try await contract.run { capacity, maximumLists in
            try SQLiteFavoritesStore.inMemory(capacity: capacity, maximumLists: maximumLists)
        }
    }

    @Test func aStoreTellsWhichCharactersAreOnLists() async throws {
        try await CharactersContract.run(on: SQLiteFavoritesStore.inMemory())
    }

    /// Random calls, with restarts between them at which the capacity changes.
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func aStoreThatIsClosedAndOpenedDoesWhatTheStoreInMemoryDoes(seed: UInt64) async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/favorites.db"
            var random = SplitMix64(seed: seed)
            var store = try SQLiteFavoritesStore(path: path, capacity: 3, maximumLists: 3)
            let model = MemoryFavoritesStore(capacity: 3, maximumLists: 3, history: store.history)
            for step in 1...200 {
                if Int.random(in: 1...30, using: &random) == 1 {
                    await store.close()
                    let capacity = Int.random(in: 1...4, using: &random)
                    model.reopen(capacity: capacity)
                    store = try SQLiteFavoritesStore(path: path, capacity: capacity, maximumLists: 3)
                    #expect(store.openingReport.problems == [])
                }
                try await RandomStep(step, using: &random).compare(store, with: model)
            }
            await store.close()
            #expect(try StoreCheck.check(path).problems == [])
        }
    }
}
