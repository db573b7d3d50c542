internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Synchronization
internal import Testing

@testable internal import FavoritesSQLite

/// Damage in tables that no digest of a log covers.
@Suite(.temporaryFolder) struct RecordsTests {
    /// One list with three characters saved, each under a request id.
    private func makeStore() async throws {
        let store = try SQLiteFavoritesStore(path: path)
        for id: Int64 in 1...3 { try await store.toggle(id, request: "request-\(id)") }
        await store.close()
    }

    private static let answerChanges = [
        "request_id = 'request-9'", "list = 'other'", "character_id = 9", "desired = 'saved'", "is_favorite = 0",
        "revision = 1", "evicted = '[]'", "history = history + 1", "created_at = created_at - 1", "principal = 'x'",
        "checksum = checksum + 1",
    ]

    /// A repeat of a damaged answer was told REQUEST_ID_REUSED, or what never was.
    @Test(arguments: answerChanges) func aDamagedAnswerIsFoundByTheStartAndByACheck(_ change: String) async throws {
        try await makeStore()
        try await FavoritesSQLiteTests.change(path, "UPDATE answers SET \(change) WHERE request_id = 'request-2'")
        let problem = RecordsReport.text(damagedAnswers: 1)
        #expect(try StoreCheck.check(path).problems.contains(problem))
        let log = OperatorLog()
        let store = try SQLiteFavoritesStore(path: path, onError: log.write)
        let report = await store.verifyRecords()
        #expect((report.answerCount, report.damagedAnswerCount) == (3, 1))
        #expect(log.lines.contains(problem))
        await store.close()
    }

    @Test(arguments: ["list = 'other'", "character_id = 9", "desired = 'saved'", "is_favorite = 0", "revision = 1"])
    func aRepeatOfADamagedAnswerIsNeitherDoneAgainNorCalledReused(_ change: String) async throws {
        try await makeStore()
        try await FavoritesSQLiteTests.change(path, "UPDATE answers SET \(change) WHERE request_id = 'request-2'")
        let store = try SQLiteFavoritesStore(path: path)
        await #expect(throws: StoreError.outcomeUnknown("a record of the store cannot be read")) {
            try await store.toggle(2, request: "request-2")
        }
        #expect(try await store.ids() == [1, 2, 3])
        #expect(try await store.toggle(3, request: "request-3").revision == 3, "others are answered")
        #expect(try await store.toggle(4, request: "request-4").revision == 4)
        await store.close()
    }

    @Test func aWholeStoreHasNothingToTellHoweverManyRecords() async throws {
        let store = try SQLiteFavoritesStore.temporary()
        for number in 1...(2 * RecordsAudit.batch + 1) { try await store.toggle(1, request: "request-\(number)") }
        let report = await store.verifyRecords()
        #expect(report == RecordsReport(answerCount: 2 * RecordsAudit.batch + 1))
    }
}
