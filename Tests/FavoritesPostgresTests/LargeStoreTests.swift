internal import FavoritesEngine
internal import MarvelDomain
internal import StoreContract
internal import Synchronization
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// Stores of two sizes: no operation reads more rows in the large one than in the small one.
///
/// Rows are counted, not only plans looked at: that covers the statements within functions, and a range that is counted or
/// sorted. `marvel-bench large-stores` times the same at a million lists.
@Suite(.needsPostgres, .timeLimit(.minutes(10))) struct LargeStoreTests {
    private static let sizes = [100, 50_000]

    /// An operation of the store, as the statements that it sends.
    private struct Operation: Sendable {
        let name: String
        let run: @Sendable (PostgresConnection, _ list: String) throws -> Void

        init(_ name: String, _ run: @escaping @Sendable (PostgresConnection, _ list: String) throws -> Void) {
            (self.name, self.run) = (name, run)
        }

        init(
            _ name: String,
            _ statement: Statement,
            _ parameters: @escaping @Sendable (_ list: String) -> Parameters
        ) {
            self.init(name) { connection, list in _ = try connection.run(.init(statement, parameters(list))) }
        }
    }

    private static let operations: [Operation] = [
        Operation("toggle of a new name") { connection, _ in try connection.apply([.toggle("new", 3)]) },
        Operation("save with eviction") { try $0.apply([.toggle($1, 3)]) },
        Operation("removal") { try $0.apply([.toggle($1, 2)]) },
        Operation("toggle that changes nothing") { try $0.apply([.toggle($1, 2, .saved)]) },
        Operation("repeated request") { try $0.apply([.toggle($1, 2, .saved, "r-\($1)")]) },
        Operation("toggle of a deleted name") { connection, _ in try connection.apply([.toggle("gone-5", 3)]) },
        Operation("toggle of a list with a long log") { connection, _ in try connection.apply([.toggle("long", 3)]) },
        Operation("deletion") { try $0.apply([.deletion($1)]) },
        Operation("group of 64") { connection, _ in
            try connection.apply((1...64).map { .toggle("list-00000\(10 + $0)", 3) })
        },
        Operation("lists", .readLists) { Parameters([$0]) },
        Operation("changes", .changes) { Parameters($0, 1, 100) },
        Operation("changes of lists", .changesOfLists) { Parameters([$0], [1], 5_000) },
        Operation("other changes", .hasOtherChanges) { Parameters([$0], [1], [7]) },
        Operation("page of lists", .lists) { Parameters($0, "", 50) },
        Operation("first page of lists", .lists) { _ in Parameters("", "", 5) },
        Operation("page of lists with a prefix", .lists) { _ in Parameters("", "list-", 50) },
        Operation("poll") { connection, list in
            let position = try connection.run(.position).text(0, 0)
            try connection.apply([.toggle(list, 3)])
            let rows = try connection.run(.poll, position, 5_000, [TransactionID]())
            #expect(try rows.count == 1 && rows.text(0, 1) == list)
        },
        Operation("old answers", .pruneAnswers) { _ in Parameters(0, 128, Int.max) },
        Operation("names of deleted lists", .dropDeletedNames) { _ in Parameters(5, 5) },
        Operation("favorites among characters", .favoritesAmong) { _ in Parameters([1, 2, 3]) },
        Operation("characters on lists", .favoriteCharacters) { _ in Parameters([7], 10) },
        Operation("pictures", .formerPictureIDs) { _ in Parameters() },
        Operation("request of an edit", .editRequest) { Parameters("", "r-\($0)") },
        Operation("answer to an edit", .insertEditRequest) { _ in Parameters("", "e", "0", 1, 0) },
    ]

    /// The plans of prepared statements and of functions are kept: here they are made while the tables are empty and have
    /// statistics that say so.
    @Test func noOperationReadsMoreRowsOfALargerStore() async throws {
        var counts: [[String: Int64]] = []
        for size in Self.sizes {
            let server = try await PostgresServer.shared()
            let address = try await server.makeDatabase()
            let early = try connection(address)
            try SchemaMigration.migrate(early, capacity: 2)
            let tables = ["lists", "favorites", "changes", "answers", "edits", "edit_requests", "pictures"]
            for table in tables {
                try await server.run("ALTER TABLE marvel.\(table) SET (autovacuum_enabled = false)", in: address)
                try await server.run("VACUUM ANALYZE marvel.\(table)", in: address)
            }
            for _ in 0..<8 {
                for operation in Self.operations { _ = try early.rowCount { try? operation.run($0, "none") } }
            }
            try await server.run(LargeStore.filling(size), in: address)
            counts.append(try rowCounts(early, size))
            try await server.run("ANALYZE", in: address)
            counts.append(try rowCounts(try connection(address), size))
        }
        for operation in Self.operations {
            let rows = counts.map { $0[operation.name] ?? .max }
            let maximum = rows[0...1].max().map { $0 + $0 / 4 + 10 } ?? 0
            let isBounded = rows[2...3].allSatisfy { $0 <= maximum }
            #expect(isBounded, "\(operation.name): \(rows)")
        }
    }

    private func rowCounts(_ connection: PostgresConnection, _ size: Int) throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for operation in Self.operations {
            counts[operation.name] = try connection.rowCount { try operation.run($0, LargeStore.list(size)) }
        }
        return counts
    }

    /// A connection with the settings of a server's.
    private func connection(_ address: String) throws -> PostgresConnection {
        try PostgresConnection.toPrimary(DatabaseAddress(address), name: "large store") { _ in }.0
    }

    @Test func theCountIncludesAReadOfAWholeTable() async throws {
        try await withStores { server, address, stores in
            for id: Int64 in 1...5 { try await stores[0].toggle(id) }
            let connection = try connection(address)
            let statement: Statement = "SELECT count(*) FROM marvel.changes WHERE digest <> 0"
            #expect(try connection.rowCount { _ = try $0.run(statement) } == 5)
        }
    }

    /// A transaction elsewhere keeps the oldest transaction in progress where it is.
    @Test func aPollReadsNoChangeTwiceDuringALongTransaction() async throws {
        try await withStores { server, address, stores in
            let elsewhere = try connection(await server.makeDatabase())
            try elsewhere.execute("BEGIN; SELECT pg_current_xact_id()")
            try await server.run(LargeStore.filling(10_000), in: address)
            let late = try connection(address)
            let insert = "INSERT INTO marvel.changes (list, revision, digest, change) VALUES"
            try late.execute("BEGIN; \(insert) ('late', 1, 0, '')")
            let reader = try connection(address)
            let position = try reader.run(.position).text(0, 0)
            try late.execute("COMMIT; \(insert) ('next', 1, 0, '')")
            let count = try reader.rowCount { connection in
                let rows = try connection.run(.poll, position, 5_000, [TransactionID]())
                #expect(try (0..<rows.count).map { try rows.text($0, 1) } == ["late", "next"])
            }
            #expect(count < 10)
            try elsewhere.execute("ROLLBACK")
        }
    }

    /// More lists than are read one by one, changed while the feed has no connection.
    @Test func aReconnectedFeedPublishesTheMissedChanges() async throws {
        try await withStores { server, address, stores in
            let feed = FeedRecorder(stores[0])
            try await stores[0].toggle(1)
            try await server.change(address, withoutConnectionsOf: "feed", LargeStore.filling(1_500))
            await feed.wait(for: Int64(LargeStore.longLog), of: try list("long"))
            let news = feed.news.filter { $0.list != .default }
            #expect(news.count == 2 * (1_500 + 150) + LargeStore.longLog && news.allSatisfy { $0.change != nil })
            #expect(!feed.events.contains(.lost))
        }
    }

    /// A server that crashed may give a transaction id again, which the position of the feed has seen.
    @Test func aReconnectedFeedPublishesAChangeThatItsPositionHides() async throws {
        try await withStores { server, address, stores in
            let feed = FeedRecorder(stores[0])
            for id: Int64 in 1...2 { try await stores[0].toggle(id) }
            try await server.change(
                address,
                withoutConnectionsOf: "feed",
                """
                \(LargeStore.filling(1))
                UPDATE marvel.changes SET xid = '3' WHERE list <> 'default';
                """
            )
            await feed.wait(for: 2, of: try list("list-0000001"))
            #expect(feed.revisions(of: try list("list-0000001")) == [1, 2])
        }
    }

    /// Dropped names are forgotten, so the sums are those of the database again.
    @Test func aDroppedNameIsForgotten() async throws {
        try await withStores { server, address, stores in
            let feed = FeedRecorder(stores[0])
            let (gone, next) = (try list("gone"), try list("next"))
            try await stores[0].toggle(1, on: gone)
            _ = try await stores[0].delete(gone)
            let change = "SELECT marvel.drop_deleted_names_2(0, 9); \(LargeStore.filling(1))"
            try await server.change(address, withoutConnectionsOf: "feed", change)
            await feed.wait(for: 2, of: try list("list-0000001"))
            #expect(stores[0].publisher.published[gone] == nil)
            #expect(try await stores[0].toggle(1, on: gone).revision == 3)
            try await stores[0].toggle(1, on: next)
            let connection = try connection(address)
            #expect(try connection.markSums() == stores[0].publisher.published.sums)
        }
    }
}

extension PostgresConnection {
    /// Returns the number of rows and index entries of the store that work reads. Its changes are rolled back.
    fileprivate func rowCount(_ body: (PostgresConnection) throws -> Void) throws -> Int64 {
        try execute("BEGIN")
        let before = try run(.rowsRead).integer(0, 0)
        try body(self)
        let after = try? run(.rowsRead).integer(0, 0)
        try execute("ROLLBACK")
        return (after ?? before) - before
    }

    /// Carries out requests as the writer of a store does that knows no list.
    fileprivate func apply(_ requests: [TestRequest]) throws {
        var settings = FavoritesEngine.Settings()
        settings.rules.capacity = 2
        settings.isShared = true
        let history = HistoryID(try run(.position).integer(0, 1))
        let publisher = FeedPublisher(settings, ListMarks(in: history))
        let status = StoreStatus(onWarning: { _ in }, onError: { Issue.record("\($0)") }, onRefusal: { _ in })
        let writer = try Writer(.init(), publisher, status) { Timestamp(seconds: 1_700_000_000) }
        let answers = Mutex<[Result<FavoritesRequest.Answer, StoreError>]>([])
        for request in requests {
            let reply = FavoritesRequest.Reply.any { answer in answers.withLock { $0.append(answer) } }
            _ = writer.add(request.kind, request.key, nil, reply: reply)
        }
        let session = WriterSession(writer)
        for _ in 0..<4 { try session.takeTurn(self) }
        let failures = answers.withLock { $0.count { if case .failure = $0 { true } else { false } } }
        #expect(answers.withLock(\.count) == requests.count && failures == 0)
    }
}

extension Statement {
    /// The rows that the session has read of the store's tables, and the entries of its indexes.
    fileprivate static let rowsRead: Statement = """
        SELECT coalesce(sum(pg_stat_get_xact_tuples_returned(c.oid)), 0)::int8
        FROM pg_class AS c WHERE c.relnamespace = 'marvel'::regnamespace
        """
}

private struct TestRequest {
    let kind: FavoritesRequest.Kind
    var key: RequestKey?

    static func toggle(
        _ name: String,
        _ id: Int64,
        _ desired: Toggle.Desired = .toggle,
        _ request: String? = nil
    ) -> TestRequest {
        let list = ListName(name) ?? .default
        let key = request.flatMap { RequestID($0) }.map { RequestKey($0) }
        let owner = name == "new" ? ListOwner.named("owner-1") : .nobody
        let toggle = Toggle(list: list, characterID: id, desired: desired, request: key, owner: owner)
        return TestRequest(kind: .toggle(toggle, character(id)), key: key)
    }

    static func deletion(_ name: String) -> TestRequest { TestRequest(kind: .deletion(ListName(name) ?? .default)) }
}
