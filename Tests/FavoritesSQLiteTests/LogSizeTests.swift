internal import Dispatch
internal import Foundation
internal import GRDB
internal import MarvelDomain
internal import Synchronization
internal import Testing

@testable internal import FavoritesSQLite

/// The log is copied into the store's file from time to time, and starts over.
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

    @Test func readersThatOverlapWithoutEndDoNotKeepTheLogFromStartingOver() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteFavoritesStore(path: "\(folder)/favorites.db", durability: .none)
            try await store.toggle(1)
            let readers = OverlappingReaders(of: store)
            await readers.run {
                for number in 1...1_500 { try await store.toggle(1, request: "r-\(number)") }
            }
            // Some 8 pages for each commit, of which those since the last checkpoint are there, and 4,096.
            #expect(try size(of: "\(folder)/favorites.db-wal") < 8_000 * 4_120)
            await store.close()
        }
    }

    private func size(of path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }
}

/// Two readers of a store, of which each stays until the other has begun anew.
private final class OverlappingReaders: Sendable {
    private let store: SQLiteFavoritesStore
    private let isOver = Atomic(false)

    init(of store: SQLiteFavoritesStore) { self.store = store }

    /// Reads all the while that `body` runs.
    func run(_ body: () async throws -> Void) async {
        let first = DispatchSemaphore(value: 0)
        let second = DispatchSemaphore(value: 0)
        async let firstReader: Void = read(announcing: first, awaiting: second)
        async let secondReader: Void = read(announcing: second, awaiting: first)
        await #expect(throws: Never.self) { try await body() }
        isOver.store(true, ordering: .relaxed)
        _ = await (firstReader, secondReader)
    }

    private func read(announcing own: DispatchSemaphore, awaiting other: DispatchSemaphore) async {
        while !isOver.load(ordering: .relaxed) {
            await #expect(throws: Never.self) {
                try await store.read { db in
                    _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM changes")
                    while other.wait(timeout: .now()) == .success {}
                    own.signal()
                    // The other may itself be kept waiting until this one has ended.
                    _ = other.wait(timeout: .now() + .milliseconds(100))
                }
            }
        }
    }
}
