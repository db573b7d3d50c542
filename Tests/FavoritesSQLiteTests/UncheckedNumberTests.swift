internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

/// Numbers at the ends of their range in files that others can write: reported or refused, never a trap.
@Suite struct UncheckedNumberTests {
    @Test(arguments: [
        "changes -9223372036854775808 last default 1 1 ", "changes 9223372036854775807 last default -1 1 ",
        "changes 9223372036854775807 last default 9223372036854775807 9223372036854775807 ",
        "changes 9223372036854775808 last default 1 1 ",
    ])
    func aWitnessWithAnyNumbersIsRead(_ text: String) async throws {
        try await withTemporaryFolder { folder in
            let path = try await makeStore(in: folder)
            try Data(text.utf8).write(to: URL(filePath: path + ".witness"))
            _ = try StoreCheck.check(path)
            let store = try SQLiteFavoritesStore(path: path)
            try await store.toggle(4)
            await store.close()
        }
    }

    @Test(arguments: [Int64.max, Int64.max - 1, Int64(1) << 62]) func aListAtAnAbsurdRevisionIsRefused(
        _ revision: Int64
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = try await makeStore(in: folder)
            try await change(path, "UPDATE lists SET revision = \(revision)")
            #expect(try StoreCheck.check(path).damagedLists == [.default])
            let store = try SQLiteFavoritesStore(path: path)
            #expect(store.openingReport.damagedLists == [.default])
            await #expect(throws: StoreError.damaged(.default)) { try await store.favorites(.default) }
            await store.close()
        }
    }

    /// Their sum is more than a number holds.
    @Test func manyListsAtHighRevisionsAreServed() async throws {
        try await withTemporaryFolder { folder in
            let path = try await makeStore(in: folder)
            let rows = (1...9).map { "('list-\($0)', \((Int64(1) << 62) - 9), 0)" }.joined(separator: ", ")
            try await change(path, "INSERT INTO lists (name, revision, digest) VALUES \(rows)", sealing: true)
            _ = try StoreCheck.check(path)
            let store = try SQLiteFavoritesStore(path: path)
            try await store.toggle(1, on: try list("list-1"))
            await store.close()
        }
    }

    @Test(arguments: [Int64.max, .min]) func aChangeAtTheEndOfTheRangeIsReported(_ revision: Int64) async throws {
        try await withTemporaryFolder { folder in
            let path = try await makeStore(in: folder)
            try await change(path, "UPDATE changes SET revision = \(revision) WHERE revision = 2")
            #expect(try StoreCheck.check(path).isWhole == false)
            let store = try SQLiteFavoritesStore(path: path)
            #expect(store.openingReport.isWhole == false)
            await store.close()
        }
    }

    /// A column of another type than this program made it with.
    @Test func aDamagedRowIsReportedAndEndsNothing() async throws {
        try await withTemporaryFolder { folder in
            let path = try await makeStore(in: folder)
            try await change(
                path,
                """
                DROP TABLE favorites;
                CREATE TABLE favorites (list, character_id, saved_revision, snapshot);
                INSERT INTO favorites VALUES (NULL, 'x', NULL, NULL), ('default', NULL, 'y', x'00');
                """
            )
            #expect(throws: FavoritesStoreOpenError.self) { try SQLiteFavoritesStore(path: path) }
            #expect(throws: FavoritesStoreOpenError.self) { try StoreCheck.check(path) }
        }
    }
}
