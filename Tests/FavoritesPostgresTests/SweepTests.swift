internal import MarvelDomain
internal import StoreContract
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// The deletion of old records, and what of it readers notice.
@Suite(.needsPostgres) struct SweepTests {
    private func sweep(_ address: String, names: Int64) throws {
        let connection = try PostgresConnection(DatabaseAddress(address), name: "sweep")
        #expect(try !RecordSweeper(maximumDeletedNames: names).sweep(connection))
    }

    /// A server's deletion of answers, on a connection of its own, with a monotonic clock that starts at 0.
    private struct Pruning {
        let connection: PostgresConnection
        var pruner: AnswerPruner
        let start = ContinuousClock.now

        init(_ address: String, keeping maximum: Int64) throws {
            connection = try PostgresConnection(DatabaseAddress(address), name: "prune")
            pruner = AnswerPruner(maximumAnswers: maximum)
            // It learns the number of the newest answer, and sees it for the first time.
            for _ in 1...2 { try prune(after: 1, at: 0) }
        }

        mutating func prune(after written: Int, at seconds: Int) throws {
            try pruner.prune(after: written, connection, at: start + .seconds(seconds))
        }
    }

    private func answers(_ server: PostgresServer, _ address: String) async throws -> Int {
        Int(try await server.run("SELECT count(*) FROM marvel.answers", in: address)) ?? 0
    }

    /// Inserts answers that are of an hour ago by the wall clock.
    private func insertAnswers(
        _ count: Int,
        _ server: PostgresServer,
        _ address: String,
        named name: String = ""
    ) async throws {
        try await server.run(
            """
            INSERT INTO marvel.answers (principal, request_id, history, list, character_id, desired, is_favorite,
                revision, created_at)
            SELECT 'old', '\(name)' || n, 1, 'old', 1, 1, true, n, extract(epoch FROM now())::int8 - 3600
            FROM generate_series(1, \(count)) AS n
            """,
            in: address
        )
    }

    /// Their times on the wall clock do not count.
    @Test func theNewestAnswersAreKeptAndAllForTwoMinutes() async throws {
        try await withStores { server, address, stores in
            try await insertAnswers(5, server, address)
            var pruning = try Pruning(address, keeping: 2)
            try pruning.prune(after: 10, at: 119)
            #expect(try await answers(server, address) == 5, "young ones stay, however many")
            try pruning.prune(after: 1, at: 120)
            #expect(try await answers(server, address) == 3, "two for one that was written")
            try pruning.prune(after: 10, at: 120)
            #expect(try await server.run("SELECT request_id FROM marvel.answers ORDER BY 1", in: address) == "4\n5")
            for number in 1...5 { try await stores[0].toggle(1, request: "r-\(number)") }
            for seconds in [130, 140, 150] { try pruning.prune(after: 10, at: seconds) }
            #expect(try await answers(server, address) == 5, "those that were known")
            try pruning.prune(after: 10, at: 270)
            #expect(try await server.run("SELECT request_id FROM marvel.answers ORDER BY 1", in: address) == "r-4\nr-5")
            try pruning.prune(after: 10, at: 1_000_000_000)
            #expect(try await answers(server, address) == 2, "no time is too long")
        }
    }

    /// Each server deletes more answers than all servers write meanwhile.
    @Test func writesReduceASurplusOfAnswers() async throws {
        try await withStores(0) { server, address, _ in
            _ = try DatabaseMigration.migrate(DatabaseAddress(address))
            try await insertAnswers(800, server, address)
            var servers = try (0..<3).map { _ in try Pruning(address, keeping: 100) }
            for turn in 0..<12 {
                try await insertAnswers(32, server, address, named: "\(turn)-")
                try servers[turn % 3].prune(after: 32, at: 120)
            }
            #expect(try await answers(server, address) == 800 - 12 * 32)
        }
    }

    /// A server that connects to another database knows none of its answers.
    @Test func aNewConnectionKeepsAllAnswersForTwoMinutes() async throws {
        try await withStores(0) { server, address, _ in
            _ = try DatabaseMigration.migrate(DatabaseAddress(address))
            try await insertAnswers(5, server, address)
            let (first, second) = (try Pruning(address, keeping: 1), try Pruning(address, keeping: 1))
            var pruner = first.pruner
            try pruner.prune(after: 5, second.connection, at: first.start + .seconds(200))
            try pruner.prune(after: 5, second.connection, at: first.start + .seconds(319))
            #expect(try await answers(server, address) == 5)
            try pruner.prune(after: 5, second.connection, at: first.start + .seconds(500))
            #expect(try await answers(server, address) == 1)
        }
    }

    /// A table that was empty when its statistics were made, and one with statistics.
    @Test(arguments: ["", "ANALYZE marvel.answers;"])
    func theOldestAnswersAreFoundByTheirIndex(_ statistics: String) async throws {
        try await withStores { server, address, _ in
            try await server.run(
                "ANALYZE marvel.answers; ALTER TABLE marvel.answers SET (autovacuum_enabled = false)",
                in: address
            )
            try await insertAnswers(200_000, server, address)
            let plan = try await server.run(
                """
                \(statistics)
                PREPARE prune (int8, int8, int8) AS \(Statement.pruneAnswers.text);
                EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
                    EXECUTE prune (0, 128, 199000)
                """,
                in: address
            )
            #expect(plan.contains("Index Scan using answers_number"), "\(plan)")
            #expect(!plan.contains("Seq Scan") && !plan.contains("Sort"), "\(plan)")
            #expect(!plan.contains("rows=200000"), "\(plan)")
            #expect(try await answers(server, address) == 200_000 - 128)
        }
    }

    @Test func theOldestDeletedNameIsDroppedAndTheBaseRises() async throws {
        try await withStores { _, address, stores in
            let store = stores[0]
            for name in ["a", "b"] {
                for id: Int64 in 1...3 { try await store.toggle(id, on: try list(name)) }
                _ = try await store.delete(try list(name))
            }
            try sweep(address, names: 1)
            #expect(try await store.snapshot(of: try list("a")).list.revision == 4)
            #expect(try await store.snapshot(of: try list("never")).list.revision == 4)
            #expect(try await store.toggle(1, on: try list("a")).revision == 5)
            #expect(try await store.toggle(1, on: try list("b")).revision == 5)
            let changes = try await store.changes(of: try list("a"), after: 0, limit: 10)
            #expect(changes == .compacted(oldest: 4))
        }
    }

    @Test func aListWhoseNameIsDroppedDuringAnOutageIsGone() async throws {
        try await withStores { server, address, stores in
            let gone = try list("gone")
            for id: Int64 in 1...3 { try await stores[0].toggle(id, on: gone) }
            let recorder = FeedRecorder(stores[0])
            try await server.change(
                address,
                """
                DELETE FROM marvel.favorites; DELETE FROM marvel.changes; DELETE FROM marvel.lists;
                UPDATE marvel.meta SET base = 9;
                """
            )
            await recorder.wait(for: 9, of: gone)
            #expect(recorder.news.map(\.exists) == [false] && recorder.histories == [])
            #expect(try await stores[0].toggle(1, on: gone).revision == 10)
            #expect(try await stores[0].ids(gone) == [1])
        }
    }

    /// A row that is written again without a higher base looks like that of an older state (`FeedFollower`).
    @Test func aSweepBelowTheBaseDoesNotWriteIt() async throws {
        try await withStores { server, address, stores in
            for (name, count) in [("a", 3), ("b", 1)] as [(String, Int64)] {
                for id in 1...count { try await stores[0].toggle(id, on: try list(name)) }
                _ = try await stores[0].delete(try list(name))
            }
            let row = "SELECT xmin, base FROM marvel.meta"
            let first = try await server.run(row, in: address)
            try sweep(address, names: 1)
            let second = try await server.run(row, in: address)
            #expect(second != first && second.hasSuffix("|4"), "the name with the higher revision is dropped")
            try sweep(address, names: 0)
            #expect(try await server.run("SELECT count(*) FROM marvel.lists", in: address) == "0")
            #expect(try await server.run(row, in: address) == second)
        }
    }
}
