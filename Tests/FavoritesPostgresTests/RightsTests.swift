internal import MarvelDomain
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// Servers that run as a role with no more rights than they need. `ContractTests` runs the contract as such a role.
@Suite(.needsPostgres) struct RightsTests {
    @Test func theRightsSufficeForBackgroundWork() async throws {
        let server = try await PostgresServer.shared()
        let role = try await server.makeRole()
        let owned = try await server.makeDatabase()
        _ = try DatabaseMigration.migrate(DatabaseAddress(owned), granting: [role])
        let limited = address(owned, as: role)
        let connection = try PostgresConnection(DatabaseAddress(limited), name: "test")
        _ = try RecordSweeper(maximumDeletedNames: 1).sweep(connection)
        var pruner = AnswerPruner(maximumAnswers: 1)
        try pruner.prune(after: 1, connection)
        #expect(try DatabaseCheck.check(DatabaseAddress(limited)).isWhole)
        // A new history begins.
        try await server.run("UPDATE marvel.meta SET timeline = timeline - 1", in: owned)
        let store = try await PostgresFavoritesStore.open(limited)
        await store.close()
        await #expect(throws: ServerFailure.self) { try await server.run("DROP TABLE marvel.answers", in: limited) }
    }

    @Test func aStoreDoesNotDependOnSettingsOfItsDatabase() async throws {
        let server = try await PostgresServer.shared()
        let address = try await server.makeDatabase()
        let settings = [("default_transaction_isolation", "repeatable read"), ("client_min_messages", "error")]
        for (name, value) in settings {
            let database = "SELECT current_database()"
            let sql = "format('ALTER DATABASE %I SET \(name) = %L', (\(database)), '\(value)')"
            try await server.run("DO $$ BEGIN EXECUTE \(sql); END $$", in: address)
        }
        let connection = try PostgresConnection.forOperator(DatabaseAddress(address))
        let expected = [("default_transaction_isolation", "read committed"), ("client_min_messages", "warning")]
        for (name, value) in expected {
            let shown = try connection.run("SELECT current_setting('\(name)')").text(0, 0)
            #expect(shown == value)
        }
    }

    @Test func missingRightsAreReportedWithTheCommandThatGrantsThem() async throws {
        let server = try await PostgresServer.shared()
        let role = try await server.makeRole()
        let owned = try await server.makeDatabase()
        let limited = address(owned, as: role)
        let command = "`marvel-server migrate ADDRESS --grant \(role)`"
        for detail in ["permission denied for database", "permission denied for schema marvel"] {
            let error = await #expect(throws: FavoritesDatabaseError.self) {
                try await PostgresFavoritesStore.open(limited)
            }
            let text = error?.message ?? ""
            #expect(text.contains("the role \(role) lacks a right") && text.contains(command), "\(text)")
            #expect(text.contains(detail), "\(text)")
            _ = try DatabaseMigration.migrate(DatabaseAddress(owned))
        }
        _ = try DatabaseMigration.migrate(DatabaseAddress(owned), granting: [role])
        try await server.run("REVOKE UPDATE ON marvel.lists FROM \(quoted(role))", in: owned)
        let store = try await PostgresFavoritesStore.open(limited)
        let error = await #expect(throws: StoreError.self) { try await store.toggle(1) }
        #expect("\(String(describing: error))".contains("`marvel-server migrate --grant` (SQLSTATE 42501)"))
        _ = try DatabaseMigration.migrate(DatabaseAddress(owned), granting: [role])
        try await store.toggle(1)
        await store.close()
    }

    @Test func aMissingPartOfTheSchemaIsReported() async throws {
        try await withStores { server, address, stores in
            try await stores[0].toggle(1)
            try await server.run("DROP TABLE marvel.changes", in: address)
            let error = await #expect(throws: StoreError.self) { try await stores[0].toggle(2) }
            #expect("\(String(describing: error))".contains("restore a backup (SQLSTATE 42P01)"))
        }
    }
}
