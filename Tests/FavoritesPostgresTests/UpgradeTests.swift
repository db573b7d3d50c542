internal import MarvelDomain
internal import StoreContract
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// Servers of two versions on one database. The newer version has steps that this one does not know.
@Suite(.needsPostgres) struct UpgradeTests {
    /// A typical step: it adds a column with a default, a table, and a function that the newer version calls.
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

    @Test func aServerKeepsServingDuringAndAfterAMigration() async throws {
        try await withStores(2, .init(capacity: 3)) { server, address, stores in
            var random = SplitMix64(seed: 5)
            let model = MemoryFavoritesStore(capacity: 3, maximumLists: 100, history: stores[0].history)
            for step in 1...60 {
                if step == 30 { try migrate(address, Schema.steps + [addition]) }
                try await RandomStep(step, using: &random).compare(stores[step % 2], with: model)
            }
            let versions = try await server.run("SELECT version, minimum FROM marvel.meta", in: address)
            #expect(versions == "\(Schema.version + 1)|\(Schema.steps.compactMap(\.minimum).max() ?? 1)")
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

    @Test func anErrorNamesTheVersionThatTheSchemaNeeds() async throws {
        try await withStores { server, address, stores in
            try await stores[0].toggle(1)
            let removal = Schema.Step(sql: "DROP TABLE marvel.pictures;", minimum: Schema.version + 1)
            try migrate(address, Schema.steps + [addition, removal])
            let error = await #expect(throws: FavoritesDatabaseError.self) {
                try await PostgresFavoritesStore.open(address)
            }
            let (version, minimum) = (Schema.version + 2, Schema.version + 1)
            let message = error?.message ?? ""
            #expect(message.contains("the schema has version \(version), which needs a server with"), "\(message)")
            #expect(message.contains("with version \(minimum); this server has"), "\(message)")
            // One that runs notices it when it connects again.
            try await server.endConnections(to: address)
            await #expect(throws: StoreError.self) {
                // The first ones may be taken in the moment before the connections end.
                for id: Int64 in 2...1_000 { try await stores[0].toggle(id) }
            }
            #expect(stores[0].refusal == "the database belongs to a newer server")
            // The same steps again change nothing.
            try migrate(address, Schema.steps + [addition, removal])
        }
    }

    /// Undoes the steps from the sixth on.
    private let version5 = """
        DROP FUNCTION marvel.drop_deleted_names_2;
        DROP INDEX marvel.lists_existing;
        DROP TRIGGER checksum ON marvel.edits;
        DROP TRIGGER checksum ON marvel.edit_pictures;
        DROP FUNCTION marvel.set_edit_checksum_1, marvel.set_edit_picture_checksum_1, marvel.edit_checksum_1,
            marvel.edit_picture_checksum_1;
        ALTER TABLE marvel.edits DROP COLUMN checksum;
        ALTER TABLE marvel.edit_pictures DROP COLUMN checksum;
        UPDATE marvel.meta SET version = 5;
        """

    @Test func aMigrationFromVersion5KeepsTheEditsAndTheirRequests() async throws {
        try await withStores { server, address, stores in
            let picture = Picture(bytes: [1], mediaType: .png)
            let request = RequestKey(RequestID("r"), of: "anna")
            let order = EditOrder(.existing(7), CharacterEdit(name: "A"), picture: .set(picture), request: request)
            let edited = try await stores[0].edits.write(order) { _ in true }
            await stores[0].close()
            try await server.run(
                """
                \(version5)
                DELETE FROM marvel.answers;
                INSERT INTO marvel.edit_requests (principal, request_id, digest, character_id, created_at)
                    VALUES ('anna', 'r', \(order.digest), 7, extract(epoch FROM now())::int8);
                CREATE TABLE marvel.upstream_calls (count int8);
                """,
                in: address
            )
            #expect(try DatabaseCheck.check(DatabaseAddress(address)).problems == [], "before the step")
            let store = try await PostgresFavoritesStore.open(address)
            #expect(try await store.edits.edits(after: 0) == [edited])
            #expect(try await store.edits.picture(of: 7) == picture)
            #expect(try await store.edits.write(order) { _ in true } == edited, "a repeated request")
            let versions = try await server.run("SELECT version, minimum FROM marvel.meta", in: address)
            #expect(versions == "\(Schema.version)|8")
            #expect(try DatabaseCheck.check(DatabaseAddress(address)).problems == [])
            await store.close()
        }
    }

    /// The schema as three steps left it, with a group of an older server on its way.
    private let version3 = """
        DROP TRIGGER checksum_of_insert ON marvel.lists;
        DROP TRIGGER checksum_of_update ON marvel.lists;
        DROP TRIGGER checksum_of_insert ON marvel.favorites;
        DROP FUNCTION marvel.refuse_row_1, marvel.favorite_checksum_1, marvel.list_checksum_1;
        ALTER TABLE marvel.lists DROP COLUMN checksum;
        ALTER TABLE marvel.favorites DROP COLUMN checksum;
        ALTER TABLE marvel.answers DROP COLUMN number;
        UPDATE marvel.meta SET version = 3;
        """

    @Test func aMigrationFromVersion3AddsChecksumsAndNumbersAnswersByAge() async throws {
        try await withStores(1, .init(capacity: 3)) { server, address, stores in
            let gone = try list("gone")
            for id: Int64 in 1...4 { try await stores[0].toggle(id, request: "r-\(id)") }
            try await stores[0].toggle(1, on: gone)
            _ = try await stores[0].delete(gone)
            await stores[0].close()
            let ages = "UPDATE marvel.answers SET created_at = created_at - right(request_id, 1)::int"
            try await server.run("\(version5) \(version3) \(ages) WHERE request_id LIKE 'r-_'", in: address)

            #expect(try DatabaseCheck.check(DatabaseAddress(address)).problems == [], "before the step")
            let store = try await PostgresFavoritesStore.open(address)
            #expect(try await store.ids() == [2, 3, 4])
            #expect(try await store.lists(prefix: "", after: nil, limit: 9).map(\.name) == [.default])
            #expect(try await store.toggle(4, request: "r-4").revision == 4, "a stored answer")
            #expect(try await store.toggle(5).revision == 5)
            #expect(try await store.toggle(1, on: gone).revision == 3)
            let order = "SELECT request_id FROM marvel.answers WHERE request_id LIKE 'r-_' ORDER BY number"
            #expect(try await server.run(order, in: address) == "r-4\nr-3\nr-2\nr-1")
            #expect(try DatabaseCheck.check(DatabaseAddress(address)).problems == [])
            await store.close()
        }
    }

    /// A function that began before the migration, and waited for a lock, writes rows as it did before.
    @Test func aRowWithoutAChecksumIsRefusedAsAConflict() async throws {
        try await withStores { server, address, stores in
            try await stores[0].toggle(1)
            for write in [
                "UPDATE marvel.lists SET revision = 2, ids = '{}'",
                "INSERT INTO marvel.lists (name, deletion, revision, digest, ids) VALUES ('x', 0, 0, 0, '{}')",
                "INSERT INTO marvel.favorites (list, character_id, saved_revision, snapshot) VALUES ('x', 1, 1, '')",
            ] {
                let connection = try PostgresConnection(DatabaseAddress(address), name: "older")
                #expect("\(write)") { try connection.execute(write) } throws: { error in
                    (error as? DatabaseFault)?.consequence == .retry
                }
            }
        }
    }

    /// A step may take minutes, and a wait for a lock otherwise ends after a short time.
    @Test(.timeLimit(.minutes(10))) func aServerWaitsForTheMigrationOfAnotherOne() async throws {
        let server = try await PostgresServer.shared()
        let address = try await server.makeDatabase()
        let other = try PostgresConnection(DatabaseAddress(address), name: "newer")
        try other.execute("SELECT pg_advisory_lock(\(Functions.migrationLock))")
        try await withThrowingTaskGroup { group in
            group.addTask { @concurrent in
                let connection = try PostgresConnection(DatabaseAddress(address), name: "second")
                try connection.execute("SET lock_timeout = '20ms'")
                try SchemaMigration.migrate(connection, capacity: 3)
            }
            try await server.waitForAdvisoryLock(in: address)
            try await server.run("SELECT pg_sleep(0.2)", in: address)
            try other.execute("SELECT pg_advisory_unlock_all()")
            try await group.waitForAll()
        }
        #expect(try await server.run("SELECT version FROM marvel.meta", in: address) == "\(Schema.version)")
    }
}
