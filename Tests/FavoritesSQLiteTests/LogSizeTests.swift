internal import ChildProcesses
internal import Dispatch
internal import MarvelDomain
internal import SQLiteFiles
internal import Synchronization
internal import Testing

@testable internal import FavoritesSQLite

/// The log is copied into the store's file from time to time, and starts over.
@Suite(.temporaryFolder) struct LogSizeTests {
    @Test func aReaderThatStaysKeepsTheLogUntilItLeaves() async throws {
        let store = try SQLiteFavoritesStore(path: "\(folder)/favorites.db")
        try await store.toggle(1)
        let reader = try DatabaseQueue("\(folder)/favorites.db")
        let (counts, continuation) = AsyncStream.makeStream(of: Int?.self)
        let mayEnd = DispatchSemaphore(value: 0)
        reader.async { db in
            try? db.reading {
                continuation.yield(try db.value("SELECT count(*) FROM changes"))
                mayEnd.wait()
            }
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

    @Test func readersThatOverlapWithoutEndDoNotKeepTheLogFromStartingOver() async throws {
        let store = try SQLiteFavoritesStore(path: "\(folder)/favorites.db", durability: .none)
        try await store.toggle(1)
        let readers = OverlappingReaders(of: store)
        var highest = 0
        await readers.run {
            // Five times as many as it takes: the readers end when the machine comes to it.
            for number in 1...3_000 where store.logPageCount >= highest {
                highest = store.logPageCount
                try await store.toggle(1, request: "r-\(number)")
            }
        }
        #expect(store.logPageCount < highest, "the log has started over")
        await store.close()
    }

    /// The disk is smaller than the log would become.
    @Test(.enabled(if: SmallDisk.isAvailable))
    func theLogLeavesSpaceForItsCheckpoint() async throws {
        try await SmallDisk.with(kibibytes: 4_096) { folder in
            let store = try SQLiteFavoritesStore(
                path: "\(folder)/favorites.db",
                retention: StoreRetention(answers: 10, changesPerList: 10)
            )
            for number in 1...600 { try await store.toggle(1, request: "r-\(number)") }
            await store.close()
        }
    }
}

/// Two readers of a store, of which each stays until the other has started again.
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
                    _ = try db.value("SELECT count(*) FROM changes", as: Int.self)
                    while other.wait(timeout: .now()) == .success {}
                    own.signal()
                    // The other may itself be kept waiting until this one has ended.
                    _ = other.wait(timeout: .now() + .milliseconds(100))
                }
            }
        }
    }
}

@Suite(.temporaryFolder) struct LogGrowthTests {
    private var log = LogGrowth()

    private mutating func isDue(freePageCount: Int = .max) -> Bool {
        log.beginCheckpoint(freePageCount: { freePageCount })
    }

    @Test mutating func aCheckpointIsDueAfterEachInterval() {
        for page in 1...10_000 {
            log.committed(pageCount: page)
            let isDue = isDue()
            #expect(isDue == page.isMultiple(of: LogGrowth.interval))
            if isDue { log.checkpointEnded() }
        }
    }

    @Test mutating func theIntervalRestartsWithTheLog() {
        var found: [Int] = []
        for page in [5_000, 4, LogGrowth.interval - 1, LogGrowth.interval, LogGrowth.interval + 1] {
            log.committed(pageCount: page)
            guard isDue() else { continue }
            log.checkpointEnded()
            found.append(page)
        }
        #expect(found == [5_000, LogGrowth.interval])
    }

    @Test(arguments: [(0, 64), (127, 64), (128, 65), (1_000, 937), (2_111, 2_048), (.max, 2_048)])
    mutating func aCheckpointIsDueBeforeTheLogTakesTheSpaceThatItNeeds(free: Int, due: Int) {
        for page in 1..<due {
            log.committed(pageCount: page)
            let isDue = isDue(freePageCount: free)
            #expect(!isDue)
        }
        log.committed(pageCount: due)
        let isDue = isDue(freePageCount: free)
        #expect(isDue)
    }

    @Test mutating func theFirstFailureMakesACheckpointDueAndThenTheNextCommit() {
        var found: [Bool] = []
        func note(_ log: inout LogGrowth) { found.append(log.beginCheckpoint(freePageCount: { .max })) }
        // A commit fails, then its checkpoint, and two more commits.
        for _ in 1...4 {
            log.failed()
            note(&log)
        }
        log.committed(pageCount: 1)
        note(&log)
        log.checkpointEnded()
        log.committed(pageCount: 2)
        note(&log)
        log.failed()
        note(&log)
        #expect(found == [true, false, false, false, true, false, true])
    }
}
