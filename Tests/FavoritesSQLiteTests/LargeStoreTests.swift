internal import CSQLite
internal import MarvelDomain
internal import Synchronization
internal import Testing

@testable internal import FavoritesSQLite
@testable internal import SQLiteFiles

/// Stores of two sizes: no operation makes SQLite take more steps in the large one than in the small one.
///
/// A step is an instruction of SQLite's machine: a table that is scanned, or a range that is counted or sorted, is seen. All
/// changes wait for the writer's lock, so that no statement under it may take longer in a larger store.
@Suite(.temporaryFolder, .timeLimit(.minutes(10))) struct LargeStoreTests {
    private static let sizes = [100, 20_000]
    private static let longLog: Int64 = 400

    private struct Operation: Sendable {
        let name: String
        let run: @Sendable (SQLiteFavoritesStore) async throws -> Void

        init(_ name: String, _ run: @escaping @Sendable (SQLiteFavoritesStore) async throws -> Void) {
            (self.name, self.run) = (name, run)
        }
    }

    /// They run in this order, on lists in the middle of the store.
    private static let operations = [
        Operation("toggle of a new name") { try await $0.toggle(3, on: list("new")) },
        Operation("save with eviction") { try await $0.toggle(3, on: list("list-25")) },
        Operation("removal") { try await $0.toggle(2, on: list("list-26")) },
        Operation("repeated request") { try await $0.toggle(2, on: list("list-27"), request: "r-27") },
        Operation("toggle of a deleted name") { try await $0.toggle(3, on: list("gone-3")) },
        Operation("toggle of a list with a long log") { try await $0.toggle(3, on: list("long")) },
        Operation("deletion") { _ = try await $0.delete(list("list-28")) },
        Operation("snapshot") { _ = try await $0.snapshot(of: list("list-29")) },
        Operation("changes") { _ = try await $0.changes(of: list("long"), after: longLog - 5, limit: 3) },
        Operation("page of lists") { _ = try await $0.lists(prefix: "", after: list("list-25"), limit: 5) },
        Operation("page of lists with a prefix") { _ = try await $0.lists(prefix: "list-", after: nil, limit: 5) },
        Operation("favorites among characters") { _ = try await $0.favorites(among: [1, 2, 3]) },
        Operation("edit") { store in
            let order = EditOrder(.existing(1), CharacterEdit(name: "A"), request: RequestKey(RequestID("e-1")))
            _ = try await store.edits.write(order) { $0 == 1 }
        },
    ]

    /// They run where there are as many answers, and as many names of deleted lists, as are kept.
    private static let pruningOperations = [
        Operation("request that prunes an answer") { try await $0.toggle(3, on: list("list-30"), request: "new") },
        Operation("deletion that prunes a name") { _ = try await $0.delete(list("list-31")) },
    ]

    @Test func noOperationTakesMoreStepsInALargerStore() async throws {
        let small = try await stepCounts(Self.sizes[0])
        let large = try await stepCounts(Self.sizes[1])
        #expect(large.values.reduce(0, +) > 100, "steps are counted")
        for operation in Self.operations + Self.pruningOperations {
            let (small, large) = (small[operation.name] ?? 0, large[operation.name] ?? .max)
            #expect(large <= 2 * small + 100, "\(operation.name): \(small), \(large)")
        }
    }

    @Test func aPageOfListsIsOneQuery() async throws {
        let store = try SQLiteFavoritesStore.temporary()
        for number in 1...20 { try await store.toggle(1, on: list("list-\(number)")) }
        let counter = StepCounter()
        for reader in store.database.readers { reader.sync(counter.start) }
        #expect(try await store.lists(prefix: "", after: nil, limit: 20).count == 20)
        #expect(counter.statementCount == 3, "with those that begin and end a transaction")
        await store.close()
    }

    /// Returns the steps of each operation in a store of a size.
    private func stepCounts(_ size: Int) async throws -> [String: Int64] {
        let path = try await filledStore(folder, size)
        let counts = try await stepCounts(Self.operations, path, size)
        // Ten times as many names of deleted lists are kept.
        let pruning = try await stepCounts(Self.pruningOperations, path, size, maximumLists: size / 100)
        return counts.merging(pruning) { counted, _ in counted }
    }

    private func stepCounts(
        _ operations: [Operation],
        _ path: String,
        _ size: Int,
        maximumLists: Int = 100_000
    ) async throws -> [String: Int64] {
        let store = try SQLiteFavoritesStore(
            path: path,
            capacity: 2,
            maximumLists: maximumLists,
            retention: StoreRetention(answers: Int64(size)),
            durability: .none,
            now: clock(at: 1_700_001_000)
        )
        #expect(store.openingReport.problems == [])
        let counter = StepCounter()
        for queue in [store.database.writer] + store.database.readers { queue.sync(counter.start) }
        var counts: [String: Int64] = [:]
        for operation in operations {
            _ = counter.take()
            try await operation.run(store)
            counts[operation.name] = counter.take()
        }
        await store.close()
        return withExtendedLifetime(counter) { counts }
    }

    /// Makes a store with copies of a list, of its log and of its answer, and a tenth as many names of deleted lists.
    ///
    /// - Returns: The path of its file.
    private func filledStore(_ folder: String, _ size: Int) async throws -> String {
        let path = "\(folder)/\(size).db"
        let store = try SQLiteFavoritesStore(path: path, capacity: 2, durability: .none, now: clock())
        for id: Int64 in 1...2 { try await store.toggle(id, on: list("model"), request: id == 2 ? "r-model" : nil) }
        for turn in 0..<Self.longLog { try await store.toggle(1 + turn % 3, on: list("long")) }
        for number in 1...size / 10 {
            try await store.toggle(1, on: list("gone-\(number)"))
            _ = try await store.delete(list("gone-\(number)"))
        }
        await store.close()
        let numbers = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT \(size))"
        try await change(
            path,
            """
            \(numbers) INSERT INTO lists (name, revision, digest, deletion, log_bytes, owner, checksum)
                SELECT 'list-' || n, revision, digest, deletion, log_bytes, owner, 0 FROM lists, numbers WHERE name = 'model';
            \(numbers) INSERT INTO favorites (list, character_id, saved_revision, snapshot, checksum)
                SELECT 'list-' || n, character_id, saved_revision, snapshot,
                    row_checksum('list-' || n, character_id, saved_revision, snapshot)
                FROM favorites, numbers WHERE list = 'model';
            \(numbers) INSERT INTO changes (list, revision, change, digest)
                SELECT 'list-' || n, revision, change, digest FROM changes, numbers WHERE list = 'model';
            \(numbers) INSERT INTO answers (principal, request_id, list, character_id, desired, is_favorite, revision, evicted,
                    history, created_at, checksum)
                SELECT principal, 'r-' || n, 'list-' || n, character_id, desired, is_favorite, revision, evicted, history,
                    created_at,
                    row_checksum(principal, 'r-' || n, 'list-' || n, character_id, desired, is_favorite, revision, evicted,
                        history, created_at)
                FROM answers, numbers WHERE request_id = 'r-model';
            """,
            sealing: true
        )
        return path
    }

    private final class StepCounter: Sendable {
        private let count = Mutex<Int64>(0)
        private let statements = Mutex(0)

        var statementCount: Int { statements.withLock(\.self) }

        /// Returns the steps since the last call.
        func take() -> Int64 {
            count.withLock { count in
                defer { count = 0 }
                return count
            }
        }

        /// Counts the steps of a connection, whenever a statement ends.
        func start(_ db: Database) {
            _ = sqlite3_trace_v2(
                db.connection,
                CUnsignedInt(SQLITE_TRACE_PROFILE),
                { _, counter, statement, _ in
                    guard let counter, let statement else { return 0 }
                    let steps = sqlite3_stmt_status(OpaquePointer(statement), SQLITE_STMTSTATUS_VM_STEP, 1)
                    Unmanaged<StepCounter>.fromOpaque(counter).takeUnretainedValue().add(Int64(steps))
                    return 0
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
        }

        private func add(_ steps: Int64) {
            count.withLock { $0 += steps }
            statements.withLock { $0 += 1 }
        }
    }
}
