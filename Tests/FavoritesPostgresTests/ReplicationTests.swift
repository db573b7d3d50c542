internal import MarvelDomain
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// The notes of a store, and its warnings to the operator, of the replication of its commits.
@Suite(.needsPostgres, .timeLimit(.minutes(10))) struct ReplicationTests {
    private let isAsynchronous = "commits do not wait for a standby: a failover may lose acknowledged changes"

    private func isNotedAsSynchronous(_ server: PostgresServer, _ address: String) async throws -> Bool {
        try await server.run("SELECT is_synchronous FROM marvel.meta", in: address) == "t"
    }

    /// The standby that the setting names never comes, so that whatever waited for it would wait for ever.
    @Test func aConnectedStoreNotesAChangedSetting() async throws {
        let server = try await PostgresServer.own(settings: ["fsync=off"])
        let address = try await server.makeDatabase()
        let (warnings, warning) = AsyncStream<String>.makeStream()
        var iterator = warnings.makeAsyncIterator()
        let store = try await PostgresFavoritesStore.open(address, onWarning: { warning.yield($0) })
        #expect(await iterator.next() == isAsynchronous)
        #expect(try await !isNotedAsSynchronous(server, address))

        try await server.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", in: address)
        try await server.run("SELECT pg_reload_conf()", in: address)
        #expect(await iterator.next() == "commits now wait for a standby")
        #expect(try await isNotedAsSynchronous(server, address))

        try await server.run(
            "ALTER SYSTEM RESET synchronous_standby_names",
            in: address
        )
        try await server.run("SELECT pg_reload_conf()", in: address)
        #expect(await iterator.next() == isAsynchronous)
        #expect(try await !isNotedAsSynchronous(server, address))
        await store.close()
        await server.stop()
    }

    @Test func aCommitThatWaitsOnlyForItsDiskIsNotSynchronous() async throws {
        let settings = ["fsync=off", "synchronous_standby_names=nobody", "synchronous_commit=local"]
        let server = try await PostgresServer.own(settings: settings)
        let address = try await server.makeDatabase()
        let (warnings, warning) = AsyncStream<String>.makeStream()
        let store = try await PostgresFavoritesStore.open(address, onWarning: { warning.yield($0) })
        warning.finish()
        #expect(await warnings.first { _ in true } == isAsynchronous)
        #expect(try await !isNotedAsSynchronous(server, address))
        await store.close()
        await server.stop()
    }
}
