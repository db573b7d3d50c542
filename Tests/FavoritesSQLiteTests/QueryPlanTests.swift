internal import CSQLite
internal import MarvelDomain
internal import Synchronization
internal import Testing

@testable internal import FavoritesSQLite
@testable internal import SQLiteFiles

/// All changes wait for the writer's lock, so no statement under it may take longer in a larger store.
@Suite(.temporaryFolder) struct QueryPlanTests {
    /// The tables that grow without a small bound.
    private static let tables = ["lists", "favorites", "changes", "answers"]

    @Test func noStatementOfTheWriterReadsAWholeTable() async throws {
        let statements = try await statementsOfEachKindOfChange(folder)
        #expect(statements.count > 20)
        for part in [
            "INSERT INTO favorites", "INSERT INTO edits", "deletion IS NOT NULL", "DELETE FROM lists",
            "DELETE FROM answers",
        ] {
            #expect(statements.contains { $0.contains(part) }, "\(part) was not run")
        }
        let db = try Database("\(folder)/favorites.db")
        try StoreSchema.addFunctions(to: db)
        for sql in statements {
            let plan = try Self.plan(of: sql, in: db)
            #expect(plan.filter(Self.readsWholeTable) == [], "\(sql)\n\(plan.joined(separator: "\n"))")
            // A plan does not tell how many rows of a range are counted.
            #expect(!sql.contains("count(") || sql.contains("LIMIT"), "\(sql)")
        }
    }

    @Test(arguments: [
        "SELECT count(*) FROM lists", "SELECT max(deletion) FROM lists", "DELETE FROM changes WHERE revision < 9",
        "SELECT 1 FROM favorites WHERE character_id = 3", "UPDATE lists SET owner = NULL",
    ])
    func aStatementThatReadsAWholeTableIsSeen(_ sql: String) throws {
        try DatabaseQueue().sync { db in
            try StoreSchema.migrate(db)
            #expect(try Self.plan(of: sql, in: db).contains(where: Self.readsWholeTable))
        }
    }

    private static func plan(of sql: String, in db: Database) throws -> [String] {
        let count = sql.count { $0 == "?" }
        var plan: [String] = []
        try db.prepare("EXPLAIN QUERY PLAN \(sql)").run { values in
            for _ in 0..<count { values.addNull() }
        } forEachRow: { row in
            plan.append(try row.read("detail"))
        }
        return plan
    }

    /// Returns whether a line of a plan is about all rows: a scan, or the search for the smallest or largest value without
    /// a bound. The largest row id is found at once.
    private static func readsWholeTable(_ line: String) -> Bool {
        tables.contains { table in
            line == "SCAN \(table)" || line.hasPrefix("SCAN \(table) ")
                || line.hasPrefix("SEARCH \(table) USING") && !line.contains("(")
        }
    }

    /// Makes each kind of change, in a store with small limits, so that all that is pruned is pruned.
    ///
    /// - Returns: The statements that the writer ran.
    private func statementsOfEachKindOfChange(_ folder: String) async throws -> [String] {
        let clock = TestClock()
        var limits = StoreLimits(capacity: 2, maximumLists: 2)
        limits.retention = StoreRetention(answers: 2, changesPerList: 3)
        limits.logBytes = 4_000
        let opened = try OpenedStore.atPath("\(folder)/favorites.db", limits: limits, durability: .none, address: nil)
        let (start, startTime) = (ContinuousClock.now, clock.now().seconds)
        let store = SQLiteFavoritesStore(opened, limits: limits, now: clock.now) {
            start + .seconds(clock.now().seconds - startTime)
        }
        let recorder = Recorder()
        store.database.sync(recorder.start)
        let owner = ListOwner.named("anna")
        for number in 1...24 {
            let name = try list("list-\(number)")
            for id: Int64 in 1...6 {
                let key = RequestKey(RequestID("r-\(number)-\(id)"), of: "anna")
                let toggle = Toggle(list: name, characterID: id, request: key, owner: owner)
                _ = try await store.toggle(toggle, character: character(id))
                _ = try await store.toggle(toggle, character: character(id))
            }
            try await store.toggle(6, on: name, .removed)
            let picture = Picture(bytes: [1], mediaType: .png)
            for target in [EditOrder.Target.existing(Int64(number)), .new(nil), .reverted(1)] {
                let edit = CharacterEdit(name: target == .reverted(1) ? nil : "A")
                let request = RequestKey(RequestID("e-\(number)-\(target)".prefix(36).description))
                let order = EditOrder(
                    target,
                    edit,
                    picture: target == .reverted(1) ? nil : .set(picture),
                    request: request
                )
                _ = try await store.edits.write(order) { order.target == .existing($0) }
            }
            _ = try await store.delete(name, request: RequestKey(RequestID("d-\(number)")), deadline: nil)
            clock.advance(by: 30)
        }
        store.database.sync { db in _ = sqlite3_trace_v2(db.connection, 0, nil, nil) }
        await store.close()
        return recorder.statements
    }

    private final class Recorder: Sendable {
        private let recorded = Mutex<Set<String>>([])

        /// The statements that read or write rows, each once.
        var statements: [String] {
            let kinds = ["SELECT", "INSERT", "UPDATE", "DELETE"]
            return recorded.withLock { $0 }.filter { sql in kinds.contains { sql.hasPrefix($0) } }.sorted()
        }

        /// Records the statements of a connection until it traces them no more.
        func start(_ db: Database) {
            _ = sqlite3_trace_v2(
                db.connection,
                CUnsignedInt(SQLITE_TRACE_STMT),
                { _, recorder, statement, _ in
                    guard let recorder, let statement, let sql = sqlite3_sql(OpaquePointer(statement)) else { return 0 }
                    Unmanaged<Recorder>.fromOpaque(recorder).takeUnretainedValue().add(String(cString: sql))
                    return 0
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
        }

        private func add(_ sql: String) { recorded.withLock { _ = $0.insert(sql) } }
    }
}
