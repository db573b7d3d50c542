internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

@Suite struct HistoryTests {
    private func store(kept: Int64 = 1_000) throws -> SQLiteFavoritesStore {
        SQLiteFavoritesStore(
            try .inMemory(),
            limits: StoreLimits(capacity: 2, changesPerList: kept),
            now: TestClock().now
        )
    }

    @Test func aStoreKeepsTheOperatorsSettings() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteFavoritesStore(
                path: "\(folder)/favorites",
                retention: StoreRetention(answers: 7, changesPerList: 3)
            )
            #expect(store.limits.answers == 7)
            for id: Int64 in 1...5 { try await store.toggle(id) }
            #expect(try await store.changes(of: .default, after: 1, limit: 10) == .compacted(oldest: 2))
            await store.close()
        }
    }

    @Test func theOldestChangesLeaveAndTheSmallestRevisionThatWorksIsNamed() async throws {
        let store = try store(kept: 3)
        for id: Int64 in 1...10 { try await store.toggle(id) }
        #expect(try await store.changes(of: .default, after: 6, limit: 10) == .compacted(oldest: 7))
        guard case .changes(let changes) = try await store.changes(of: .default, after: 7, limit: 10) else {
            Issue.record("revision 7 should work")
            return
        }
        #expect(changes.map(\.revision) == [8, 9, 10])
    }

    @Test func aHoleInTheLogIsReported() async throws {
        let store = try store()
        for id: Int64 in 1...10 { try await store.toggle(id) }
        try store.database.sync { db in
            try db.execute("DELETE FROM changes WHERE revision = 4")
        }
        // The digest of change 4 would prove change 5.
        #expect(try await store.changes(of: .default, after: 0, limit: 10) == .compacted(oldest: 5))
        #expect(try await store.changes(of: .default, after: 0, limit: 2) == .compacted(oldest: 5))
        #expect(try await store.changes(of: .default, after: 4, limit: 2) == .compacted(oldest: 5))
        guard case .changes(let rest) = try await store.changes(of: .default, after: 5, limit: 10) else {
            Issue.record("revision 5 should work")
            return
        }
        #expect(rest.map(\.revision) == [6, 7, 8, 9, 10])
    }

    /// As a disk or another program alters it: a change, its digest, or the revision at which it is.
    @Test(arguments: [
        ("UPDATE changes SET change = replace(change, 'Character 4', 'Character 5') WHERE revision = 4", 4),
        ("UPDATE changes SET digest = digest + 1 WHERE revision = 4", 5),
        ("UPDATE changes SET change = (SELECT change FROM changes WHERE revision = 6) WHERE revision = 4", 4),
        ("UPDATE changes SET change = '{' WHERE revision IN (4, 8)", 8),
    ])
    func aDamagedChangeIsAGap(_ damage: String, oldest: Int64) async throws {
        let store = try store()
        for id: Int64 in 1...10 { try await store.toggle(id) }
        let whole = try await store.favorites(.default)
        try store.database.sync { db in try db.execute(damage) }
        for revision: Int64 in 0...3 {
            let read = try await store.changes(of: .default, after: revision, limit: 10)
            #expect(read == .compacted(oldest: oldest), "\(revision)")
        }
        guard case .changes(let rest) = try await store.changes(of: .default, after: oldest, limit: 10) else {
            Issue.record("revision \(oldest) should work")
            return
        }
        #expect(rest.map(\.revision) == Array(oldest + 1...10))
        #expect(try await store.favorites(.default) == whole)
        guard case .changes(let first) = try await store.changes(of: .default, after: 0, limit: 3) else {
            Issue.record("the changes before the gap are whole")
            return
        }
        #expect(first.map(\.revision) == [1, 2, 3])
    }
}
