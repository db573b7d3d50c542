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

    @Test func missingRightsAreNamedWithTheCommandThatGrantsThem() async throws {
        let server = try await PostgresServer.shared()
        let role = try await server.makeRole()
        let owned = try await server.makeDatabase()
        let limited = address(owned, as: role)
        func refusal() async -> String {
            let error = await #expect(throws: FavoritesDatabaseError.self) {
                try await PostgresFavoritesStore.open(limited)
            }
            return error?.message ?? ""
        }
        let command = "`marvel-server migrate ADDRESS --grant \(role)`"
        let unmade = await refusal()
        #expect(
            unmade.contains("must not create or migrate the schema marvel") && unmade.contains(command),
            "\(unmade)"
        )

        _ = try DatabaseMigration.migrate(DatabaseAddress(owned))
        let nothing = await refusal()
        #expect(nothing.contains("lacks DELETE on marvel.answers, "), "\(nothing)")
        #expect(nothing.contains("USAGE on schema marvel") && nothing.contains(command), "\(nothing)")

        _ = try DatabaseMigration.migrate(DatabaseAddress(owned), granting: [role])
        let name = quoted(role)
        for (revoked, missing) in [
            ("UPDATE ON marvel.lists FROM \(name)", "UPDATE on marvel.lists"),
            ("USAGE ON SEQUENCE marvel.deletions FROM \(name)", "USAGE on marvel.deletions"),
            (
                "EXECUTE ON FUNCTION marvel.drop_deleted_names_1 FROM public, \(name)",
                "EXECUTE on marvel.drop_deleted_names_1"
            ),
        ] {
            try await server.run("REVOKE \(revoked)", in: owned)
            let text = await refusal()
            #expect(text.contains("lacks \(missing): the owner"), "\(text)")
            _ = try DatabaseMigration.migrate(DatabaseAddress(owned), granting: [role])
        }
        let store = try await PostgresFavoritesStore.open(limited)
        await store.close()
    }
}
