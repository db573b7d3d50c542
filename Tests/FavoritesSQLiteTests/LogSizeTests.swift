internal import Dispatch
internal import Foundation
internal import GRDB
internal import MarvelDomain
internal import Testing

@testable internal import FavoritesSQLite

/// RELIABILITY S8: the log is copied into the store's file from time to time, and starts over.
@Suite struct LogSizeTests {
    @Test func theLogDoesNotGrowForEver() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteFavoritesStore(path: "\(folder)/favorites.db")
            for number in 1...600 { try await store.toggle(1, request: "r-\(number)") }
            // 600 commits of some 8 pages; at 250 the log starts over.
            #expect((1..<3_000).contains(store.logPageCount))
            #expect(try size(of: "\(folder)/favorites.db-wal") < 3_000 * 4_120)
            await store.close()
        }
    }

    @Test func aReaderThatStaysKeepsTheLogUntilItLeaves() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteFavoritesStore(path: "\(folder)/favorites.db")
            try await store.toggle(1)
            let reader = try StoreConnection.openReadOnly("\(folder)/favorites.db")
            let (counts, continuation) = AsyncStream.makeStream(of: Int?.self)
            let mayEnd = DispatchSemaphore(value: 0)
            reader.asyncRead { db in
                continuation.yield(try? Int.fetchOne(db.get(), sql: "SELECT count(*) FROM changes"))
                mayEnd.wait()
            }
            for await count in counts {
                #expect(count == 1)
                break
            }
            for number in 1...600 { try await store.toggle(2, request: "r-\(number)") }
            let grown = store.logPageCount
            #expect(grown > 500 * 4)

            mayEnd.signal()
            try reader.close()
            for number in 1...600 { try await store.toggle(2, request: "s-\(number)") }
            #expect(store.logPageCount < grown)
            await store.close()
        }
    }

    private func size(of path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }
}
