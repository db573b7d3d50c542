internal import MarvelDomain
internal import StoreContract
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// An old state of the database that is put back under stores that are open. The cluster and its timeline stay the same.
@Suite(.needsPostgres, .timeLimit(.minutes(10))) struct RestoreTests {
    /// The first revision of the new history.
    private static let first: Int64 = 1 << 32 + 1
    private static let tables = ["lists", "favorites", "changes", "answers"]

    /// Saves tables, as a dump does: the rows, and not when they were written.
    private func save(_ server: PostgresServer, _ address: String) async throws {
        let copies = (Self.tables + ["meta"]).map { "CREATE TABLE saved.\($0) AS TABLE marvel.\($0);" }
        try await server.run("CREATE SCHEMA saved; \(copies.joined())", in: address)
    }

    private func putBack(_ tables: [String], _ server: PostgresServer, _ address: String) async throws {
        let copies = tables.map { "DELETE FROM marvel.\($0); INSERT INTO marvel.\($0) TABLE saved.\($0);" }
        try await server.run("BEGIN; \(copies.joined()) COMMIT", in: address)
    }

    /// Two stores that have both shown revision 10, on a database that is put back to revision 3.
    private func withStoresAhead(
        of tables: [String],
        _ body: ([PostgresFavoritesStore], [FeedRecorder]) async throws -> Void
    ) async throws {
        try await withStores(2, .init(capacity: 20)) { server, address, stores in
            let recorders = stores.map { FeedRecorder($0) }
            for id: Int64 in 1...3 { try await stores[0].toggle(id) }
            try await save(server, address)
            for id: Int64 in 4...10 { try await stores[0].toggle(id) }
            for recorder in recorders { await recorder.wait(for: 10) }
            try await putBack(tables, server, address)
            try await body(stores, recorders)
        }
    }

    @Test(arguments: [tables, tables + ["meta"]])
    func noRevisionIsUsedTwiceAfterARestore(_ tables: [String]) async throws {
        try await withStoresAhead(of: tables) { (stores, recorders) async throws in
            let next = try await stores[1].toggle(11)
            #expect(next.revision == Self.first)
            for recorder in recorders { await recorder.waitForHistories() }
            let history = stores[0].history
            for (store, recorder) in zip(stores, recorders) {
                let ids = try await store.ids()
                #expect(ids == [1, 2, 3, 11])
                #expect(recorder.histories == [history], "once")
            }
        }
    }

    @Test func aReadOfAnOlderListBeginsANewHistory() async throws {
        try await withStoresAhead(of: Self.tables) { (stores, recorders) async throws in
            let snapshot = try await stores[0].snapshot(of: .default)
            #expect(snapshot.list.revision == Self.first - 1)
            for recorder in recorders { await recorder.waitForHistories() }
        }
    }

    /// Nobody reads or writes.
    @Test func theFeedNoticesARestoredDump() async throws {
        try await withStoresAhead(of: Self.tables + ["meta"]) { (stores, recorders) async throws in
            for recorder in recorders { await recorder.waitForHistories() }
            #expect(stores[0].history == stores[1].history)
        }
    }
}
