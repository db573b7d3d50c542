internal import MarvelDomain
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

@Suite(.needsPostgres) struct OpeningTests {
    @Test func serversThatStartAtTheSameTimeMakeOneSchema() async throws {
        let server = try await PostgresServer.shared()
        let address = try await server.makeDatabase()
        let stores = try await withThrowingTaskGroup { group in
            for _ in 0..<4 { group.addTask { try await PostgresFavoritesStore.open(address) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(stores.map(\.history)).count == 1)
        for store in stores { await store.close() }
    }

    @Test func aStoreKeepsTheCapacityOfItsFirstServer() async throws {
        try await withStores(1, .init(capacity: 2)) { _, address, _ in
            let other = try await PostgresFavoritesStore.open(address)
            #expect(other.capacity == 2)
            #expect(try await other.snapshot(of: .default).list.capacity == 2)
            await other.close()
            let error = await #expect(throws: FavoritesDatabaseError.self) {
                try await PostgresFavoritesStore.open(address, .init(capacity: 3))
            }
            #expect(error?.code == .invalidSetting)
        }
    }

    @Test func aMissingDatabaseIsUnreachable() async throws {
        let error = await #expect(throws: FavoritesDatabaseError.self) {
            try await PostgresFavoritesStore.open("postgresql:///x?host=/nonexistent")
        }
        #expect(error?.code == .unreachable)
    }

    @Test func openingWaitsForAPrimary() async throws {
        try await withStores { server, address, stores in
            try await server.run("UPDATE marvel.meta SET timeline = timeline + 1", in: address)
            var settings = PostgresFavoritesStore.Settings()
            settings.openingTimeout = .seconds(60)
            let (faults, fault) = AsyncStream<String>.makeStream()
            async let opened = PostgresFavoritesStore.open(address, settings) { fault.yield($0) }
            _ = await faults.first { _ in true }
            try await server.run("UPDATE marvel.meta SET timeline = timeline - 1", in: address)
            let store = try await opened
            #expect(store.history == stores[0].history)
            #expect(store.unavailability == nil)
            await store.close()
        }
    }

    /// The trigger fails like a wait for a lock that another server holds for long.
    @Test func openingRetriesWhileAnotherServerHoldsALock() async throws {
        try await withStores { server, address, _ in
            try await server.run(
                """
                CREATE FUNCTION public.busy() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN RAISE EXCEPTION 'busy' USING ERRCODE = '55P03'; END
                $$;
                UPDATE marvel.meta SET is_synchronous = NOT is_synchronous;
                CREATE TRIGGER busy BEFORE UPDATE ON marvel.meta FOR EACH ROW EXECUTE FUNCTION public.busy();
                """,
                in: address
            )
            var settings = PostgresFavoritesStore.Settings()
            settings.openingTimeout = .seconds(60)
            let (faults, fault) = AsyncStream<String>.makeStream()
            let opened = Task {
                defer { fault.finish() }
                return try await PostgresFavoritesStore.open(address, settings) { fault.yield($0) }
            }
            _ = await faults.first { _ in true }
            try await server.run("DROP TRIGGER busy ON marvel.meta", in: address)
            let store = try await opened.value
            #expect(store.unavailability == nil)
            await store.close()
        }
    }
}
