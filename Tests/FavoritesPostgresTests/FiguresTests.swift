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
            let end = lockWait(of: "writer", then: "PERFORM pg_terminate_backend(v_pid);")
            let hold = "BEGIN; SELECT FROM marvel.lists FOR UPDATE; \(end) COMMIT"
            let holder = Task { try await server.run(hold, in: address) }
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
}
