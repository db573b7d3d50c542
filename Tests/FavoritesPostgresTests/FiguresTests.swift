internal import MarvelDomain
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// The figures of a store's connections and commits, for its operator.
@Suite(.needsPostgres) struct FiguresTests {
    @Test func aGroupThatIsSentAgainIsCounted() async throws {
        try await withStores { server, address, stores in
            let store = stores[0]
            try await store.toggle(1)
            // Another transaction holds the list until the connection of the writer has ended.
            let holder = Task {
                try await server.run(
                    """
                    BEGIN; SELECT FROM marvel.lists FOR UPDATE;
                    DO $$ BEGIN
                        FOR i IN 1..3000 LOOP
                            PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE application_name = 'marvel-server writer' AND datname = current_database()
                                AND wait_event_type = 'Lock';
                            EXIT WHEN FOUND;
                            PERFORM pg_sleep(0.01);
                            PERFORM pg_stat_clear_snapshot();
                        END LOOP;
                    END $$;
                    COMMIT
                    """,
                    in: address
                )
            }
            // The toggle waits for the holder only if that one came first; otherwise there is another.
            var id: Int64 = 1
            while store.figures.resentGroupCount == 0, id < 5_000 {
                id += 1
                try await store.toggle(id)
            }
            _ = try await holder.value
            let figures = store.figures
            #expect(figures.resentGroupCount == 1)
            let writer = figures.connections.first { $0.part == "writer" }
            #expect(writer?.isConnected == true)
            #expect(writer?.reconnectCount == 1)
            #expect(figures.waitingCount == 0)
            #expect(try await store.snapshot(of: .default).list.revision == id, "nothing was done twice")
        }
    }

    @Test func aStoreIsHealthyWithAWriterAndARecentFeed() {
        func figures(_ down: String?, feedAge: Duration) -> StoreFigures {
            StoreFigures(
                connections: ["writer", "reader", "feed", "background"].map {
                    .init(part: $0, isConnected: $0 != down, reconnectCount: 0)
                },
                feedAge: feedAge,
                resentGroupCount: 0,
                conflictCount: 0,
                waitingCount: 0
            )
        }
        #expect(figures(nil, feedAge: .zero).hasWriter)
        #expect(!figures("writer", feedAge: .zero).hasWriter)
        #expect(figures("feed", feedAge: .zero).hasWriter, "changes are accepted without it")
        #expect(!figures("feed", feedAge: .seconds(5)).isFeedLate, "it may be back before anybody is late")
        #expect(figures("feed", feedAge: .milliseconds(5_001)).isFeedLate)
    }
}
