internal import MarvelDomain
internal import StoreContract
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// The history of a store whose cluster has changed. The tests change the noted timeline in place of a promotion.
@Suite(.needsPostgres, .timeLimit(.minutes(10))) struct HistoryTests {
    @Test(
        arguments: [
            (true, 0, false, .keep), (true, 1, true, .keep), (true, 1, false, .renew), (true, -1, true, .refuse),
            (false, 0, true, .renew), (false, -1, false, .renew),
        ] as [(Bool, Int64, Bool, ClusterChange.Consequence)]
    )
    func aClusterThatMayLackCommitsBeginsANewHistory(
        _ isSame: Bool,
        _ step: Int64,
        _ wasSynchronous: Bool,
        _ consequence: ClusterChange.Consequence
    ) {
        let change = ClusterChange(isSameSystem: isSame, timelineStep: step, wasSynchronous: wasSynchronous)
        #expect(change.consequence == consequence)
    }

    @Test func oneConnectionComparesTheListsOfANewCluster() {
        let (first, second) = (ServedCluster(systemID: 7, timeline: 1), ServedCluster(systemID: 7, timeline: 2))
        var record = ClusterRecord(compared: first)
        #expect(record.turn(on: first) == .none)
        #expect(record.turn(on: second) == .compare)
        #expect(record.turn(on: second) == .wait)
        record.ended(on: nil)
        #expect(record.turn(on: second) == .compare, "the first comparison failed")
        record.ended(on: second)
        #expect(record.turn(on: second) == .none)
        record.read(on: first)
        #expect(record.turn(on: first) == .none)
    }

    @Test(arguments: ["timeline = timeline - 1", "system_id = system_id - 1"])
    func aStoreThatMayLackCommitsContinuesInANewHistory(_ difference: String) async throws {
        try await withStores { server, address, stores in
            let gone = try list("gone")
            for id: Int64 in 1...3 { try await stores[0].toggle(id, request: "r-\(id)") }
            try await stores[0].toggle(1, on: gone)
            _ = try await stores[0].delete(gone)
            await stores[0].close()
            try await server.run("UPDATE marvel.meta SET \(difference)", in: address)

            let store = try await PostgresFavoritesStore.open(address)
            #expect(store.history != stores[0].history)
            let base: Int64 = 1 << 32
            #expect(try await store.snapshot(of: .default).list.revision == base)
            #expect(try await store.snapshot(of: gone).list.revision == base)
            #expect(try await store.changes(of: .default, after: 3, limit: 9) == .compacted(oldest: base))
            let kept = try await store.toggle(2, request: "r-2")
            #expect(kept.revision == 2)
            #expect(kept.place?.position(on: .default)?.history == stores[0].history, "a stored answer keeps its place")
            #expect(try await store.toggle(4).revision == base + 1)
            #expect(try await store.ids() == [1, 2, 3, 4])
            await store.close()

            let again = try await PostgresFavoritesStore.open(address)
            #expect(again.history == store.history, "once")
            await again.close()
        }
    }

    @Test func aPromotedStandbyOfASynchronousClusterKeepsTheHistory() async throws {
        try await withStores { server, address, stores in
            try await server.run("UPDATE marvel.meta SET timeline = timeline - 1, is_synchronous = true", in: address)
            let store = try await PostgresFavoritesStore.open(address)
            #expect(store.history == stores[0].history)
            await store.close()
        }
    }

    /// Each store finds the new history when it connects again, and continues. The changes of one reach the other.
    @Test func storesThatAreOpenContinueInANewHistory() async throws {
        try await withStores(2) { server, address, stores in
            let recorders = stores.map { FeedRecorder($0) }
            try await stores[0].toggle(1)
            await recorders[1].wait(for: 1)
            try await server.run("UPDATE marvel.meta SET timeline = timeline - 1", in: address)
            try await server.endConnections(to: address, named: "")
            for recorder in recorders { await recorder.waitForHistories() }
            let history = stores[0].history
            #expect(stores[1].history == history)
            let next = try await stores[0].toggle(2)
            #expect(next.revision == 1 << 32 + 1)
            #expect(next.place?.position(on: .default)?.history == history)
            await recorders[1].wait(for: next.revision)
            for store in stores {
                let snapshot = try await store.snapshot(of: .default)
                #expect(snapshot.history == history && snapshot.list.revision == next.revision)
                #expect(store.refusal == nil)
            }
            #expect(recorders.map(\.histories) == [[history], [history]], "once")
        }
    }

    /// Commits waited for the standby that took over, so that the history is kept; but it lacks some, because a wait was
    /// cancelled. The store that has seen them notices, also if others were made in their place.
    @Test(
        arguments: [
            // The last change is gone.
            """
            DELETE FROM marvel.changes WHERE revision = 2;
            UPDATE marvel.lists SET revision = 1, ids = '{1}', digest = (SELECT digest FROM marvel.changes);
            UPDATE marvel.lists SET checksum = marvel.list_checksum_1(name, owner, deletion, revision, digest, ids);
            DELETE FROM marvel.favorites WHERE character_id = 2;
            """,
            // There is another one in its place, and one after that.
            """
            UPDATE marvel.changes SET digest = 616 WHERE revision = 2;
            INSERT INTO marvel.changes (list, revision, digest, change)
                SELECT list, 3, 617, change FROM marvel.changes WHERE revision = 1;
            UPDATE marvel.lists SET revision = 3, digest = 617, ids = '{2}',
                checksum = marvel.list_checksum_1(name, owner, deletion, 3, 617, '{2}');
            DELETE FROM marvel.favorites WHERE character_id = 1;
            """,
            // The whole list is gone.
            "DELETE FROM marvel.changes; DELETE FROM marvel.lists; DELETE FROM marvel.favorites;",
        ]
    )
    func aLostChangeThatAStoreHasShownEndsTheHistory(_ loss: String) async throws {
        try await withStores { server, address, stores in
            let recorder = FeedRecorder(stores[0])
            for id: Int64 in 1...2 { try await stores[0].toggle(id) }
            let promotion = "UPDATE marvel.meta SET timeline = timeline - 1, is_synchronous = true;"
            try await server.change(address, "\(promotion) \(loss)")
            await recorder.waitForHistories()
            #expect(try await stores[0].toggle(7).revision == 1 << 32 + 1)
            #expect(recorder.histories == [stores[0].history])
        }
    }

    /// The lock of a table plays a store that is so large that a new history takes longer than other statements may.
    @Test func aNewHistoryHasMoreTimeThanOtherStatements() async throws {
        try await withStores { server, address, stores in
            let ended = stores[0].history
            await stores[0].close()
            let holder = try PostgresConnection(DatabaseAddress(address), name: "holder")
            try holder.execute("SET statement_timeout = '5s'; BEGIN; LOCK TABLE marvel.changes")
            let renewal = Task { @concurrent in
                let limit = Duration.milliseconds(200)
                let connection = try PostgresConnection(DatabaseAddress(address), name: "renewal", timeout: limit)
                try connection.execute("SET statement_timeout = '100ms'")
                try connection.renewHistory(ended, floor: 0)
            }
            let waiting = """
                SELECT FROM pg_stat_activity WHERE application_name = 'renewal' AND wait_event_type = 'Lock'
                    AND clock_timestamp() - query_start > '400ms'
                """
            try await server.wait(for: "EXISTS (\(waiting))", in: address)
            try holder.execute("COMMIT")
            await #expect("the client has given up") { try await renewal.value } throws: { error in
                (error as? DatabaseFault)?.kind == .connectionLost
            }
            // The database continues.
            let renewing = "SELECT FROM pg_stat_activity WHERE application_name = 'renewal'"
            try await server.wait(for: "NOT EXISTS (\(renewing))", in: address)
            let store = try await PostgresFavoritesStore.open(address)
            #expect(store.history != ended)
            #expect(try await store.toggle(1).revision == 1 << 32 + 1)
            await store.close()
        }
    }

    /// A poll finds a history that another server has begun. If that one knew less, its revisions would come again.
    @Test func aHistoryThatRepeatsRevisionsIsReplaced() async throws {
        try await withStores { server, address, stores in
            let recorder = FeedRecorder(stores[0])
            try await stores[0].toggle(1)
            func begin(_ history: Int64) async throws {
                try await server.run(
                    """
                    BEGIN;
                    UPDATE marvel.meta SET history = \(history), base = 1::int8 << 32;
                    UPDATE marvel.lists SET revision = 1::int8 << 32,
                        checksum = marvel.list_checksum_1(name, owner, deletion, 1::int8 << 32, digest, ids);
                    DELETE FROM marvel.changes;
                    COMMIT;
                    """,
                    in: address
                )
            }
            try await begin(7)
            await recorder.waitForHistories()
            try await begin(8)
            await recorder.waitForHistories(2)
            #expect(recorder.histories.first == HistoryID(7))
            #expect(recorder.histories.last != HistoryID(8))
            #expect(try await stores[0].toggle(2).revision == 2 << 32 + 1)
        }
    }
}
