internal import MarvelDomain
internal import StoreContract
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// A store in PostgreSQL keeps the contract of every store.
@Suite(.needsPostgres) struct ContractTests {
    @Test(arguments: FavoritesContract.all) func aStoreKeepsTheContract(_ contract: FavoritesContract) async throws {
        let stage = try await DatabaseStage(try await PostgresServer.shared())
        try await contract.run(on: stage)
        await stage.close()
    }

    @Test func aStoreReturnsTheCharactersOnLists() async throws {
        try await withStores { _, _, stores in try await CharactersContract.run(on: stores[0]) }
    }

    /// Damage by a disk does not run the triggers either.
    @Test(arguments: ListDamage.allCases)
    func aDamagedStoreKeepsTheContract(_ damage: ListDamage) async throws {
        let statement =
            switch damage {
            case .alteredFavorite:
                "UPDATE marvel.favorites SET snapshot = set_byte(snapshot, 9, 0) WHERE list = LIST AND character_id = 1"
            case .missingFavorite: "DELETE FROM marvel.favorites WHERE list = LIST AND character_id = 1"
            case .alteredRow: "UPDATE marvel.lists SET revision = revision + 1 WHERE name = LIST"
            case .alteredChange:
                "UPDATE marvel.changes SET change = change || ' '::bytea WHERE list = LIST AND revision = 2"
            }
        try await withStores(1, .init(capacity: 3)) { server, address, stores in
            try await DamageContract.run(damage, on: stores[0]) { _, list in
                let sql = statement.replacing("LIST", with: "'\(list.text)'")
                try await server.run("SET session_replication_role = replica; \(sql)", in: address)
            }
            #expect(stores[0].refusal == nil)
            #expect(stores[0].damagedListCount == (damage == .alteredChange ? 0 : 1))
        }
    }

    /// Random calls, by turns through two stores of one database.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func twoStoresOfOneDatabaseBehaveLikeTheStoreInMemory(seed: UInt64) async throws {
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
