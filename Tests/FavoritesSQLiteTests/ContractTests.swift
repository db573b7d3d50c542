internal import MarvelDomain
internal import StoreContract
internal import Synchronization
internal import Testing

@testable internal import FavoritesSQLite

/// A store in SQLite keeps the contract of every store.
@Suite struct ContractTests {
    /// Stores in files of a folder.
    private final class Stage: FavoritesContract.Stage {
        let clock = ContractClock()
        private let folder: String
        /// The stores, each in the file with its number.
        private let stores = Mutex<[SQLiteFavoritesStore]>([])

        init(_ folder: String) { self.folder = folder }

        func make(_ limits: FavoritesContract.Limits) throws -> any FavoritesStore {
            try stores.withLock { stores in
                let store = try open(stores.count, limits.capacity, limits.maximumLists, answers: limits.answers)
                stores.append(store)
                return store
            }
        }

        func reopen(_ store: any FavoritesStore, capacity: Int) async throws -> any FavoritesStore {
            let closed = try #require(store as? SQLiteFavoritesStore)
            let number = try #require(stores.withLock { stores in stores.firstIndex { $0 === closed } })
            await closed.close()
            let opened = try open(number, capacity)
            stores.withLock { $0[number] = opened }
            return opened
        }

        private func open(
            _ number: Int,
            _ capacity: Int,
            _ maximumLists: Int = 100,
            answers: Int64 = 1_000_000
        ) throws -> SQLiteFavoritesStore {
            try SQLiteFavoritesStore(
                path: "\(folder)/\(number).db",
                capacity: capacity,
                maximumLists: maximumLists,
                retention: StoreRetention(answers: answers),
                durability: .none,
                now: { [clock] in clock.now }
            )
        }

        func close() async {
            for store in stores.withLock(\.self) { await store.close() }
        }
    }

    @Test(arguments: FavoritesContract.all) func aStoreKeepsTheContract(_ contract: FavoritesContract) async throws {
        try await withTemporaryFolder { folder in
            let stage = Stage(folder)
            try await contract.run(on: stage)
            await stage.close()
        }
    }

    @Test func aStoreTellsWhichCharactersAreOnLists() async throws {
        try await CharactersContract.run(on: SQLiteFavoritesStore.inMemory())
    }

    /// Random calls, with restarts between them at which the capacity changes.
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func aReopenedStoreBehavesLikeTheStoreInMemory(seed: UInt64) async throws {
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
