internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

/// Damage in tables that no digest of a log covers.
@Suite(.temporaryFolder) struct RecordsTests {
    private static let answerChanges = [
        "request_id = 'r-9'", "list = 'other'", "character_id = 9", "desired = 'saved'", "is_favorite = 0",
        "revision = 1", "evicted = '[]'", "history = history + 1", "created_at = created_at - 1", "principal = 'x'",
        "checksum = checksum + 1",
    ]

    /// A repeat of a damaged answer was told REQUEST_ID_REUSED, or what never was.
    @Test(arguments: answerChanges) func aDamagedAnswerIsFoundByACheck(_ change: String) async throws {
        try await makeStore()
        try await FavoritesSQLiteTests.change(path, "UPDATE answers SET \(change) WHERE request_id = 'r-2'")
        let problem = "answers damaged, or not found by their request ids: 1;"
        #expect(try StoreCheck.check(path).problems.contains { $0.hasPrefix(problem) })
    }

    @Test(arguments: ["list = 'other'", "character_id = 9", "desired = 'saved'", "is_favorite = 0", "revision = 1"])
    func aRepeatOfADamagedAnswerIsNeitherDoneAgainNorCalledReused(_ change: String) async throws {
        try await makeStore()
        try await FavoritesSQLiteTests.change(path, "UPDATE answers SET \(change) WHERE request_id = 'r-2'")
        let store = try SQLiteFavoritesStore(path: path)
        await #expect(throws: StoreError.outcomeUnknown("a record of the store cannot be read")) {
            try await store.toggle(2, request: "r-2")
        }
        #expect(try await store.ids() == [1, 2, 3])
        #expect(try await store.toggle(3, request: "r-3").revision == 3, "others are answered")
        #expect(try await store.toggle(4, request: "r-4").revision == 4)
        await store.close()
    }
}
