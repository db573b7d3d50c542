internal import MarvelDomain
internal import StoreContract
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// Servers of two versions on one database. The newer version is played by steps that this one does not know.
@Suite(.needsPostgres) struct UpgradeTests {
    /// A step as they are: it adds a column with a default, a table, and a function that the newer version calls.
    private let addition = Schema.Step(
        sql: """
            ALTER TABLE marvel.favorites ADD COLUMN note text NOT NULL DEFAULT '';
            CREATE TABLE marvel.notes (list text COLLATE "C" PRIMARY KEY);
            CREATE FUNCTION marvel.count_favorites_9(p_list text) RETURNS int8 LANGUAGE sql AS $$
                SELECT count(*) FROM marvel.favorites WHERE list = p_list AND note = ''
            $$;
            """
    )

    private func migrate(_ address: String, _ steps: [Schema.Step]) throws {
        let connection = try PostgresConnection(DatabaseAddress(address), name: "newer")
        try SchemaMigration.migrate(connection, capacity: 3, steps: steps)
    }

    @Test func aServerWorksOnWhileTheSchemaIsMigratedAndServesBesideTheNewerOne() async throws {
        try await withStores(2, .init(capacity: 3)) { server, address, stores in
            var random = SplitMix64(seed: 5)
            let model = MemoryFavoritesStore(capacity: 3, maximumLists: 100, history: stores[0].history)
            for step in 1...60 {
                if step == 30 { try migrate(address, Schema.steps + [addition]) }
                try await RandomStep(step, using: &random).compare(stores[step % 2], with: model)
            }
            let versions = try await server.run("SELECT version, minimum FROM marvel.meta", in: address)
            #expect(versions == "\(Schema.version + 1)|1")
            // A server that is started now knows one step less.
            let again = try await PostgresFavoritesStore.open(address, .init(capacity: 3))
            for step in 61...100 {
                try await RandomStep(step, using: &random).compare(step % 2 == 0 ? again : stores[0], with: model)
            }
            // The newer one sees what the older ones wrote.
            let ids = try await again.ids(try list("a"))
            let count = try await server.run("SELECT marvel.count_favorites_9('a')", in: address)
            #expect(count == "\(ids.count)")
            #expect(try DatabaseCheck.check(DatabaseAddress(address)).problems == [])
            await again.close()
        }
    }

    @Test func aSchemaThatNeedsANewerServerIsRefusedByName() async throws {
        try await withStores { server, address, stores in
            try await stores[0].toggle(1)
            let removal = Schema.Step(sql: "DROP FUNCTION marvel.drop_deleted_names_1;", minimum: Schema.version + 1)
            try migrate(address, Schema.steps + [addition, removal])
            let error = await #expect(throws: FavoritesDatabaseError.self) {
                try await PostgresFavoritesStore.open(address)
            }
            let (version, minimum) = (Schema.version + 2, Schema.version + 1)
            let message = error?.message ?? ""
            #expect(message.contains("the schema has version \(version), and needs a server that"), "\(message)")
            #expect(message.contains("knows version \(minimum); this one knows"), "\(message)")
            // One that runs notices it when it connects again.
            try await server.endConnections(to: address)
            await #expect(throws: StoreError.self) {
                // The first ones may be taken in the moment before the connections end.
                for id: Int64 in 2...1_000 { try await stores[0].toggle(id) }
            }
            #expect(stores[0].refusal == "the database is that of a newer server")
            // The same steps again change nothing.
            try migrate(address, Schema.steps + [addition, removal])
        }
    }

    @Test func serversThatMigrateAtTheSameTimeMakeEachStepOnce() async throws {
        let server = try await PostgresServer.shared()
        let address = try await server.makeDatabase()
        try migrate(address, Schema.steps)
        let steps = Schema.steps + [addition]
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { @concurrent in
                    let connection = try PostgresConnection(DatabaseAddress(address), name: "newer")
                    try SchemaMigration.migrate(connection, capacity: 3, steps: steps)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await server.run("SELECT version FROM marvel.meta", in: address) == "\(steps.count)")
    }
}
