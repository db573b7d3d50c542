internal import CSQLite
internal import FavoritesEngine
internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

/// The disk fails, or the caller leaves.
@Suite(.temporaryFolder) struct FaultTests {

    /// The same without a disk: SQLite is told that its file may not grow.
    @Test func aFullStoreRefusesChangesUntilThereIsSpace() async throws {
        let store = try SQLiteFavoritesStore.temporary(StoreLimits(capacity: 100))
        try await store.toggle(1)
        try await store.setMaximumPageCount(40)
        let before = try await changesUntilRefused(store, with: .notWritable("the disk is full"))
        #expect(try await store.favorites(.default) == before)
        try await store.setMaximumPageCount(100_000)
        #expect(try await store.toggle(1000).revision == before.revision + 1)
        #expect(try await store.ids().last == 1000)
    }

    @Test(arguments: [
        SQLITE_IOERR | 4 << 8, SQLITE_IOERR | 5 << 8, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CONSTRAINT | 8 << 8,
    ])
    func afterAFailedSyncNoChangeIsTakenAndReadsContinue(code: CInt) async throws {
        let log = OperatorLog()
        let store = try SQLiteFavoritesStore.temporary(StoreLimits(), onError: log.write)
        try await store.toggle(1)
        store.setBeforeCommit { throw DatabaseError(code) }
        let error = await #expect(throws: StoreError.self) { try await store.toggle(2, request: "r-1") }
        #expect(error?.isOutcomeUnknown == true)
        store.setBeforeCommit(nil)

        let refusal = try #require(store.refusal)
        await #expect(throws: refusal) { try await store.toggle(3) }
        #expect(try await store.ids() == [1])
        #expect(log.lines.count == 1)
    }

    /// The change may be on disk, and memory does not have it: nothing is answered from memory.
    @Test func changesThatWaitDuringAFailedSyncAreRefused() async throws {
        let store = try SQLiteFavoritesStore.temporary()
        try await store.toggle(1)
        let (answers, answered) = AsyncStream.makeStream(of: Result<ToggleOutcome, StoreError>.self)
        store.setBeforeCommit {
            let removal = Toggle(list: .default, characterID: 2, desired: .removed)
            _ = store.toggle(removal, character: nil, deadline: nil) { answered.yield($0) }
            throw DatabaseError(SQLITE_IOERR | 4 << 8)
        }
        await #expect(throws: StoreError.self) { try await store.toggle(2) }
        let refusal = try #require(store.refusal)
        for await answer in answers {
            #expect(throws: refusal) { try answer.get() }
            break
        }
    }

    @Test(arguments: [SQLITE_FULL, SQLITE_IOERR | 3 << 8, SQLITE_READONLY, SQLITE_BUSY])
    func afterAnotherErrorTheNextToggleIsTried(code: CInt) async throws {
        let store = try SQLiteFavoritesStore.temporary()
        try await store.toggle(1)
        store.setBeforeCommit { throw DatabaseError(code) }
        let error = await #expect(throws: StoreError.self) { try await store.toggle(2, request: "r-1") }
        #expect(error?.isOutcomeUnknown == (code == SQLITE_IOERR | 3 << 8))
        #expect(try await store.ids() == [1])
        #expect(store.refusal == nil && store.writeFailure != nil)
        store.setBeforeCommit(nil)
        #expect(try await store.toggle(2, request: "r-1").revision == 2)
        #expect(store.writeFailure == nil)
        #expect(try await store.ids() == [1, 2])
    }

    @Test func errorsForClientsHaveNoPathAndNoSQL() async throws {
        let log = OperatorLog()
        let store = try SQLiteFavoritesStore.temporary(StoreLimits(), onError: log.write)
        try store.database.sync { db in try db.execute("DROP TABLE favorites") }
        await #expect(throws: StoreError.notWritable("the store failed")) { try await store.toggle(1) }
        await #expect(throws: StoreError.notReadable("the store failed")) { try await store.favorites(.default) }
        #expect(log.lines.count == 2)
        #expect(log.lines.allSatisfy { $0.contains("no such table: favorites") })
    }

    @Test func aToggleThatIsCommittingCommitsWhenItsCallerLeaves() async throws {
        let store = try SQLiteFavoritesStore.temporary()
        let (commits, continuation) = AsyncStream.makeStream(of: Void.self)
        let mayCommit = DispatchSemaphore(value: 0)
        store.setBeforeCommit {
            continuation.yield()
            mayCommit.wait()
        }
        let call = Task { try await store.toggle(1, request: "r-1") }
        for await _ in commits { break }
        call.cancel()
        mayCommit.signal()
        #expect(try await call.value.revision == 1)
        store.setBeforeCommit(nil)
        #expect(try await store.ids() == [1])
        #expect(try await store.toggle(1, request: "r-1").revision == 1)
    }

    /// Saves until the store refuses, which has to be with `error`; what it holds then is returned.
    private func changesUntilRefused(
        _ store: SQLiteFavoritesStore,
        with error: StoreError
    ) async throws -> FavoritesList {
        for id: Int64 in 2...900 {
            let before = try await store.favorites(.default)
            do {
                let list = try list("list-\(id)")
                try await store.toggle(id, on: list, request: "r-\(id)")
                try await store.toggle(id, request: "again-\(id)")
            } catch let refusal as StoreError {
                #expect(refusal == error)
                _ = try await store.ids()
                return before
            }
        }
        throw StoreError.notReadable("the store never became full")
    }
}

extension StoreError {
    fileprivate var isOutcomeUnknown: Bool {
        if case .outcomeUnknown = self { true } else { false }
    }
}

extension SQLiteFavoritesStore {
    fileprivate func setMaximumPageCount(_ count: Int) async throws {
        try database.sync { db in
            _ = try db.value("PRAGMA max_page_count = \(count)", as: Int.self)
        }
    }
}
