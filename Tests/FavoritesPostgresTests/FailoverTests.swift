internal import MarvelDomain
internal import StoreContract
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// A store whose primary is lost, and whose standby takes its place.
@Suite(.needsPostgres, .timeLimit(.minutes(10))) struct FailoverTests {
    /// The standby is cut off, so the last acknowledged changes are only on the primary. The primary comes back later, and
    /// is the first host of the address.
    @Test func lostCommitsEndTheHistoryAndTheOldPrimaryIsSkipped() async throws {
        let old = try await PostgresServer.own(settings: ["fsync=off"])
        let oldAddress = try await old.makeDatabase()
        let standby = try await old.standby()
        let newAddress = oldAddress.replacing(old.folder, with: standby.folder)
        let address = oldAddress.replacing(old.folder, with: "\(old.folder),\(standby.folder)")
        let store = try await PostgresFavoritesStore.open(address)
        let ended = store.history
        let recorder = FeedRecorder(store)
        try await store.toggle(1)
        try await cutOff(standby, from: old)
        for id: Int64 in 2...3 { try await store.toggle(id) }
        try await old.pause()
        try await standby.run("SELECT pg_promote()", in: "postgres")

        await recorder.waitForHistories()
        #expect(recorder.histories == [store.history] && store.history != ended)
        #expect(try await store.ids() == [1], "the others are lost")
        #expect(try await store.toggle(4).revision == 1 << 32 + 1)

        try await old.resume()
        try await standby.run(
            """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name LIKE 'marvel-server%'
            """,
            in: newAddress
        )
        #expect(try await store.toggle(5).revision == 1 << 32 + 2)
        #expect(try await standby.run("SELECT ids FROM marvel.lists", in: newAddress) == "{1,4,5}")
        #expect(
            try await old.run("SELECT history, ids FROM marvel.meta, marvel.lists", in: oldAddress)
                == "\(ended.value)|{1,2,3}"
        )
        #expect(recorder.histories == [store.history], "once")
        await store.close()
        await standby.stop()
        await old.stop()
    }

    /// Waits until a standby has what its primary has, and ends its replication.
    private func cutOff(_ standby: PostgresServer, from primary: PostgresServer) async throws {
        try await standby.waitForReplay(of: primary)
        try await standby.run("ALTER SYSTEM SET primary_conninfo = ''", in: "postgres")
        try await standby.run("SELECT pg_reload_conf()", in: "postgres")
        try await standby.wait(for: "NOT EXISTS (SELECT FROM pg_stat_wal_receiver)")
    }
}
