internal import MarvelDomain
internal import SQLiteFiles
internal import StoreContract
internal import Synchronization
internal import Testing

@testable internal import FavoritesSQLite

/// The bound on the bytes of all changes that are kept.
@Suite(.temporaryFolder) struct LogBudgetTests {
    private func store(logBytes: Int64, maximumLists: Int = 100_000) throws -> SQLiteFavoritesStore {
        try .temporary(StoreLimits(maximumLists: maximumLists, logBytes: logBytes))
    }

    private func kept(_ store: SQLiteFavoritesStore) async throws -> [String: Int64] {
        let sizes = try await store.database.read { db in
            try db.all("SELECT list, sum(length(CAST(change AS BLOB))) FROM changes GROUP BY list") { row in
                (try row.read(at: 0, as: String.self), try row.read(at: 1, as: Int64.self))
            }
        }
        return Dictionary(uniqueKeysWithValues: sizes)
    }

    @Test func theOldestChangesGoFirstWhateverTheirList() async throws {
        let store = try store(logBytes: 20_000)
        let (short, long) = (try list("short"), try list("long"))
        try await store.toggle(1, on: short)
        for _ in 1...300 { try await store.toggle(1, on: long) }
        let kept = try await kept(store)
        #expect(kept.keys.sorted() == ["long"])
        #expect((15_000...20_000).contains(kept["long"] ?? 0))
        #expect(try await store.changes(of: short, after: 0, limit: 5) == .compacted(oldest: 1))
        #expect(try await store.changes(of: short, after: 1, limit: 5) == .changes([]))
        guard case .compacted(let oldest) = try await store.changes(of: long, after: 0, limit: 5) else {
            Issue.record("changes were cut")
            return
        }
        #expect(try await store.allChanges(of: long, after: oldest).count == Int(300 - oldest))
        // A list whose log is gone continues.
        #expect(try await store.toggle(2, on: short).revision == 2)
        #expect(try await store.changes(of: short, after: 1, limit: 5) != .compacted(oldest: 2))
        #expect(try await store.problems() == [])
    }

    @Test func oneHugeGroupOfListsComesBelowTheBoundCommitByCommit() async throws {
        let store = try store(logBytes: 400_000)
        let names = try (1...64).map { try list("list-\($0)") }
        for round in 1...60 {
            await withTaskGroup { group in
                for name in names { group.addTask { _ = try? await store.toggle(Int64(round), on: name) } }
            }
        }
        #expect(try await kept(store).values.reduce(0, +) <= 400_000)
        #expect(store.state.withLock(\.writer.logs.byteCount) == (try await kept(store)).values.reduce(0, +))
        #expect(try await store.problems() == [])
    }

    @Test func theNewestChangeStays() async throws {
        let store = try store(logBytes: 1)
        try await store.toggle(1, on: try list("gone"))
        _ = try await store.delete(try list("gone"))
        for id: Int64 in 1...20 { try await store.toggle(id, on: try list("kept")) }
        #expect(try await kept(store).keys.sorted() == ["kept"])
        #expect(try await store.changes(of: try list("kept"), after: 19, limit: 5) == .compacted(oldest: 20))
        #expect(try await store.toggle(1, on: try list("gone")).revision == 3)
        #expect(try await store.problems() == [])
    }

    /// The rows of changes are numbered again when the last one was deleted with its list's name.
    @Test func theBoundHoldsAfterTheLogWasEmptied() async throws {
        let store = try store(logBytes: 4_000, maximumLists: 1)
        for _ in 1...100 { try await store.toggle(1) }
        try store.database.sync { db in
            try db.execute("DELETE FROM changes; UPDATE lists SET digest = 0, log_bytes = 0")
        }
        for _ in 1...100 { try await store.toggle(1) }
        #expect(try await kept(store).values.reduce(0, +) <= 4_000)
    }
}
