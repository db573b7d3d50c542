internal import MarvelDomain
internal import SQLiteFiles
internal import StoreContract
internal import Testing

@testable internal import FavoritesSQLite

@Suite(.temporaryFolder) struct HistoryTests {
    /// As a disk or another program alters it: a change, its digest, or the revision at which it is.
    @Test(arguments: [
        ("UPDATE changes SET change = replace(change, 'Character 4', 'Character 5') WHERE revision = 4", 4),
        ("UPDATE changes SET digest = digest + 1 WHERE revision = 4", 5),
        ("UPDATE changes SET change = (SELECT change FROM changes WHERE revision = 6) WHERE revision = 4", 4),
        ("UPDATE changes SET change = '{' WHERE revision IN (4, 8)", 8),
        // The digest of change 4 would prove change 5.
        ("DELETE FROM changes WHERE revision = 4", 5),
    ])
    func aDamagedChangeIsAGap(_ damage: String, oldest: Int64) async throws {
        let store = try SQLiteFavoritesStore.temporary(StoreLimits(capacity: 2))
        for id: Int64 in 1...10 { try await store.toggle(id) }
        let whole = try await store.favorites(.default)
        try store.database.sync { db in try db.execute(damage) }
        for revision: Int64 in 0...3 {
            let read = try await store.changes(of: .default, after: revision, limit: 10)
            #expect(read == .compacted(oldest: oldest), "\(revision)")
        }
        #expect(try await store.allChanges(after: oldest).map(\.revision) == Array(oldest + 1...10))
        #expect(try await store.favorites(.default) == whole)
        #expect(try await store.allChanges(after: 0, limit: 3).map(\.revision) == [1, 2, 3])
    }
}
