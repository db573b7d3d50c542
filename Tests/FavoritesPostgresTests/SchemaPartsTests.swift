internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// A database that lacks parts of its schema.
@Suite(.needsPostgres) struct SchemaPartsTests {
    @Test(
        arguments: [
            ("DROP TABLE marvel.changes", "lacks marvel.changes: restore a backup"),
            ("DROP TABLE marvel.answers, marvel.favorites", "lacks marvel.answers, marvel.favorites: "),
            ("ALTER TABLE marvel.lists DROP COLUMN digest", "lacks marvel.lists.digest: "),
            ("DROP FUNCTION marvel.renew_history_1", "lacks marvel.renew_history_1(): "),
            ("DROP SEQUENCE marvel.deletions", "lacks marvel.deletions: "),
        ]
    )
    func aServerNamesMissingPartsAndDoesNotStart(_ loss: String, _ finding: String) async throws {
        try await withStores { server, address, stores in
            try await stores[0].toggle(1)
            await stores[0].close()
            try await server.run(loss, in: address)
            let error = await #expect(throws: FavoritesDatabaseError.self) {
                try await PostgresFavoritesStore.open(address)
            }
            #expect(error?.code == .failed)
            #expect(error?.message.contains(finding) == true, "\(error?.message ?? "")")
        }
    }

    /// A later version drops it, and this one serves beside that.
    @Test func aServerStartsWithoutThePartsOfOlderVersions() async throws {
        try await withStores { server, address, stores in
            await stores[0].close()
            try await server.run("DROP TABLE marvel.edit_requests", in: address)
            let store = try await PostgresFavoritesStore.open(address)
            try await store.toggle(1)
            await store.close()
        }
    }

    @Test func theListedPartsAreThoseOfTheSchema() async throws {
        try await withStores { server, address, _ in
            let columns = try await server.run(
                "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'marvel'",
                in: address
            )
            let wanted = SchemaParts.tables.flatMap { table in table.columns.map { "\(table.name).\($0)" } }
            #expect(columns.split(separator: "\n").map(String.init).sorted() == wanted.sorted())
            let functions = try await server.run(
                """
                SELECT proname FROM pg_proc WHERE pronamespace = 'marvel'::regnamespace
                    AND proname NOT IN ('apply_requests_2', 'drop_deleted_names_1', 'write_change_1')
                """,
                in: address
            )
            #expect(functions.split(separator: "\n").map(String.init).sorted() == SchemaParts.functions.sorted())
        }
    }
}
