internal import MarvelDomain
internal import StoreContract
internal import Synchronization
internal import Testing

@testable internal import FavoritesSQLite

/// A store in SQLite keeps the contract of every store.
@Suite(.temporaryFolder) struct ContractTests {
    /// Stores in files of a folder, each in the file with its number.
    private final class Stage: FavoritesContract.Stage {
        let clock = ContractClock()
        private let folder: String
        private let stores = Mutex<[(store: SQLiteFavoritesStore, limits: FavoritesContract.Limits)]>([])

        init(_ folder: String) { self.folder = folder }

        func make(_ limits: FavoritesContract.Limits) throws -> any FavoritesStore {
            try stores.withLock { stores in
                let store = try open(stores.count, limits)
                stores.append((store, limits))
                return store
            }
        }

        func reopen(_ store: any FavoritesStore, capacity: Int) async throws -> any FavoritesStore {
            let closed = try #require(store as? SQLiteFavoritesStore)
            let number = try #require(stores.withLock { stores in stores.firstIndex { $0.store === closed } })
            await closed.close()
            return try stores.withLock { stores in
                stores[number].limits.capacity = capacity
                stores[number].store = try open(number, stores[number].limits)
                return stores[number].store
            }
        }

        private func open(_ number: Int, _ limits: FavoritesContract.Limits) throws -> SQLiteFavoritesStore {
            try SQLiteFavoritesStore(
                path: "\(folder)/\(number).db",
                capacity: limits.capacity,
                maximumLists: limits.maximumLists,
                retention: StoreRetention(answers: limits.answers, changesPerList: limits.changesPerList),
                durability: .none,
                now: { [clock] in clock.now }
            )
        }

        func close() async {
            for (store, _) in stores.withLock(\.self) { await store.close() }
        }
    }

    @Test(arguments: FavoritesContract.all) func aStoreKeepsTheContract(_ contract: FavoritesContract) async throws {
        let stage = Stage(folder)
        try await contract.run(on: stage)
        await stage.close()
    }

    @Test func aStoreTellsWhichCharactersAreOnLists() async throws {
        try await CharactersContract.run(on: SQLiteFavoritesStore.temporary())
    }

    /// Random calls, with restarts between them at which the capacity changes.
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func aReopenedStoreBehavesLikeTheStoreInMemory(seed: UInt64) async throws {
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
