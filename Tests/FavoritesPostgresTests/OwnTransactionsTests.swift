internal import FavoritesEngine
internal import MarvelDomain
internal import Synchronization
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// The transactions that a poll of the feed leaves out, because the writer has published their changes.
@Suite struct OwnTransactionsTests {
    private let cluster = ServedCluster(systemID: 616, timeline: 1)
    private let history = HistoryID(1)

    private func ids(_ values: Int64...) -> [TransactionID] { values.map { TransactionID(value: $0) } }

    @Test func eachIsLeftOutOnce() {
        var own = OwnTransactions()
        own.add(TransactionID(value: 7), on: cluster)
        own.add(TransactionID(value: 9), on: cluster)
        #expect(own.take(on: cluster) == ids(7, 9))
        #expect(own.take(on: cluster) == [])
    }

    @Test(arguments: [ServedCluster(systemID: 616, timeline: 2), ServedCluster(systemID: 617, timeline: 1), nil])
    func thoseOfAnotherClusterAreNotLeftOut(_ other: ServedCluster?) {
        var own = OwnTransactions()
        own.add(TransactionID(value: 7), on: cluster)
        #expect(own.take(on: other) == [])
        own.add(TransactionID(value: 7), on: other)
        own.add(TransactionID(value: 8), on: cluster)
        #expect(own.take(on: cluster) == ids(8))
    }

    @Test func theyAreForgottenWhileNobodyTakesThem() {
        var own = OwnTransactions()
        for value in 1...10_001 { own.add(TransactionID(value: Int64(value)), on: cluster) }
        #expect(own.take(on: cluster) == ids(10_001))
    }

    /// The changes of an ended history are not published by the commit.
    @Test(arguments: [false, true])
    func onlyPublishedTransactionsAreLeftOut(_ isRenewed: Bool) throws {
        let publisher = publisher(base: 0)
        let group = try group(of: [1], publisher)
        if isRenewed { #expect(publisher.renew(ListMarks(in: HistoryID(2), base: 1 << 32))) }
        let saved = Favorite(character: character(1), savedAt: Timestamp(seconds: 1_700_000_000))
        let change = ListChange(.default, FavoritesChange(revision: 1, saved: saved), digest: 1)
        let outcome = GroupOutcome(lists: [.applied([change])], base: 0)
        publisher.committed(outcome, of: group, in: TransactionID(value: 7), on: cluster)
        #expect(publisher.revision(of: .default) == (isRenewed ? 1 << 32 : 1))
        #expect(publisher.takeOwnTransactions(on: cluster) == (isRenewed ? [] : ids(7)))
    }

    /// Both statements return the transaction: that of any group, and that of a single change of an existing list.
    @Test(.needsPostgres) func aPollWithoutTheTransactionOfAGroupReturnsTheOthers() async throws {
        try await withStores(1) { server, address, stores in
            let connection = try connection(address)
            let facts = try connection.run("SELECT history, base FROM marvel.meta")
            let history = HistoryID(try facts.integer(0, 0))
            let publisher = FeedPublisher(FavoritesEngine.Settings(), ListMarks(in: history))
            for ids in [[1, 2], [3]] as [[Int64]] {
                let position = try connection.run(.position).text(0, 0)
                let (outcome, transaction) = try commit(group(of: ids, publisher, in: history), connection)
                #expect(outcome.lists.count == 1)
                publisher.step { $0.committed(outcome, at: .now) }
                let own = try #require(transaction)
                try await stores[0].toggle(ids[0], on: list("other"))
                let all = try connection.run(.poll, position, 5_000, [TransactionID]())
                #expect(try all.texts(1) == ids.map { _ in "default" } + ["other"])
                #expect(try connection.run(.poll, position, 5_000, [own]).texts(1) == ["other"])
            }
        }
    }

    /// A transaction that was in progress at the position, and one that began after it.
    @Test(.needsPostgres) func aPollLeavesOutTransactionsOfBothKinds() async throws {
        try await withStores(1) { server, address, _ in
            let insert = "INSERT INTO marvel.changes (list, revision, digest, change) VALUES"
            let late = try connection(address)
            try late.execute("BEGIN; \(insert) ('late', 1, 0, '')")
            let reader = try connection(address)
            let position = try reader.run(.position).text(0, 0)
            try late.execute("COMMIT; \(insert) ('next', 1, 0, '')")
            let rows = try reader.run("SELECT list, xid FROM marvel.changes ORDER BY list")
            for (row, other) in [(0, ["next"]), (1, ["late"])] {
                let own = try #require(try rows.transaction(row, 1))
                #expect(try reader.run(.poll, position, 5_000, [own]).texts(1) == other)
            }
        }
    }

    private func commit(
        _ group: ChangeGroup,
        _ connection: PostgresConnection
    ) throws -> (GroupOutcome, TransactionID?) {
        var (characters, rows) = (SavedCharacterTexts(), GroupRows())
        var commit = try GroupCommit(group, at: Timestamp(seconds: 1_700_000_000), .init(), &rows, &characters)
        let outcome = try commit.run(on: connection, isHolding: false, rows)
        return (outcome, commit.transaction)
    }

    private func connection(_ address: String) throws -> PostgresConnection {
        try PostgresConnection.toPrimary(DatabaseAddress(address), name: "own transactions") { _ in }.0
    }

    private func publisher(base: Int64) -> FeedPublisher {
        FeedPublisher(FavoritesEngine.Settings(), ListMarks(in: history, base: base))
    }

    /// Makes a group that saves characters on the default list.
    private func group(
        of ids: [Int64],
        _ publisher: FeedPublisher,
        in history: HistoryID = HistoryID(1)
    ) throws -> ChangeGroup {
        let requests = ids.map { id in
            let key = RequestKey(RequestID("r-\(id)"))
            let toggle = Toggle(list: .default, characterID: id, desired: .saved, request: key)
            return FavoritesRequest(.toggle(toggle, character(id)), key: key, arrival: .now, reply: .any { _ in })
        }
        let now = Timestamp(seconds: 1_700_000_000)
        let group: ChangeGroup? = publisher.step { engine in
            engine.begin(requests, at: .now)
            var step = engine.next(at: now)
            if case .read = step {
                var reading = ListReading(in: history)
                reading.lists = [(.default, .success(.unknown(base: 0)))]
                engine.read(reading)
                step = engine.next(at: now)
            }
            return if case .commit(let group) = step { group } else { nil }
        }
        return try #require(group)
    }
}
