internal import MarvelDomain
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// The deletion of old records, and what of it readers notice.
@Suite(.needsPostgres) struct SweepTests {
    private func sweep(_ address: String, names: Int64) throws {
        let connection = try PostgresConnection(DatabaseAddress(address), name: "sweep")
        try RecordSweeper(maximumDeletedNames: names).sweep(connection)
    }

    private func prune(_ address: String, after written: Int = 10, keeping maximum: Int64 = 100, at now: Int64) throws {
        let connection = try PostgresConnection(DatabaseAddress(address), name: "prune")
        var pruner = AnswerPruner(maximumAnswers: maximum) { Timestamp(seconds: now) }
        try pruner.prune(after: written, connection)
    }

    private func answers(_ server: PostgresServer, _ address: String) async throws -> Int {
        Int(try await server.run("SELECT count(*) FROM marvel.answers", in: address)) ?? 0
    }

    /// Inserts answers of one age.
    private func insertAnswers(_ count: Int, _ server: PostgresServer, _ address: String) async throws {
        try await server.run(
            """
            INSERT INTO marvel.answers (principal, request_id, history, list, character_id, desired, is_favorite,
                revision, created_at)
            SELECT 'old', n::text, 1, 'old', 1, 1, true, n, extract(epoch FROM now())::int8 - 3600
            FROM generate_series(1, \(count)) AS n
            """,
            in: address
        )
    }

    @Test func answersAreKeptForSevenDaysAndTheNewestOnesOfTooMany() async throws {
        try await withStores { server, address, stores in
            for number in 1...5 { try await stores[0].toggle(1, request: "r-\(number)") }
            let made = Int64(try await server.run("SELECT max(created_at) FROM marvel.answers", in: address)) ?? 0
            try prune(address, keeping: 2, at: made + 60)
            #expect(try await answers(server, address) == 5, "young ones stay, however many")
            try prune(address, after: 1, keeping: 2, at: made + 200)
            #expect(try await answers(server, address) == 3, "two for one that was written")
            try prune(address, keeping: 2, at: made + 200)
            #expect(try await server.run("SELECT request_id FROM marvel.answers ORDER BY 1", in: address) == "r-4\nr-5")
            try prune(address, at: made + 8 * 24 * 60 * 60)
            #expect(try await answers(server, address) == 0)
        }
    }

    /// What is written by three stores is less than what they delete meanwhile, counted by their groups.
    @Test func aSurplusOfAnswersBecomesSmallerWithWhatIsWritten() async throws {
        try await withStores(3, .init(answers: 100)) { server, address, stores in
            try await insertAnswers(800, server, address)
            try await withThrowingTaskGroup { group in
                for (number, store) in stores.enumerated() {
                    group.addTask {
                        for step in 1...240 { try await store.toggle(1, on: try list("list-\(number)-\(step % 3)")) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await answers(server, address) == 3 * 240, "those of an hour ago are gone")
        }
    }

    /// A table that was empty when its statistics were made, and one with statistics.
    @Test(arguments: ["", "ANALYZE marvel.answers;"])
    func theOldestAnswersAreFoundWithoutReadingAll(_ statistics: String) async throws {
        try await withStores { server, address, _ in
            try await server.run(
                "ANALYZE marvel.answers; ALTER TABLE marvel.answers SET (autovacuum_enabled = false)",
                in: address
            )
            try await insertAnswers(200_000, server, address)
            let plan = try await server.run(
                """
                \(statistics)
                PREPARE prune (int8, int8, int8, int8, int8) AS \(Statement.pruneAnswers.text);
                EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
                    EXECUTE prune (0, 128, 1000, 0, extract(epoch FROM now())::int8)
                """,
                in: address
            )
            #expect(plan.contains("Index Scan using answers_number"), "\(plan)")
            #expect(!plan.contains("Seq Scan") && !plan.contains("Sort"), "\(plan)")
            #expect(!plan.contains("rows=200000"), "\(plan)")
            #expect(try await answers(server, address) == 200_000 - 128)
        }
    }

    @Test func theNameThatWasDeletedFirstIsDroppedAndTheBaseRises() async throws {
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

    /// A row that is written again without a higher base looks like that of an older state (`FeedFollower`).
    @Test func aSweepThatDoesNotRaiseTheBaseDoesNotWriteIt() async throws {
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

    @Test func theLastChangesOfAListAreKept() async throws {
        try await withStores(1, .init(changesPerList: 3)) { _, _, stores in
            for id: Int64 in 1...5 { try await stores[0].toggle(id) }
            #expect(try await stores[0].changes(of: .default, after: 1, limit: 10) == .compacted(oldest: 2))
            guard case .changes(let kept) = try await stores[0].changes(of: .default, after: 2, limit: 10) else {
                Issue.record("the changes are not there")
                return
            }
            #expect(kept.map(\.revision) == [3, 4, 5])
        }
    }
}
