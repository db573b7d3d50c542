internal import MarvelDomain
internal import StoreContract
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// The history of a store whose cluster is another one than before. A promotion is played by the noted timeline.
@Suite(.needsPostgres) struct HistoryTests {
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

    @Test(arguments: ["timeline = timeline - 1", "system_id = system_id - 1"])
    func aStoreThatMayLackCommitsGoesOnInANewHistory(_ difference: String) async throws {
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
            #expect(kept.place?.position(on: .default)?.history == stores[0].history, "a kept answer keeps its place")
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

    @Test func aPrimaryThatWasReplacedIsRefused() async throws {
        try await withStores { server, address, _ in
            try await server.run("UPDATE marvel.meta SET timeline = timeline + 1", in: address)
            let error = await #expect(throws: FavoritesDatabaseError.self) {
                try await PostgresFavoritesStore.open(address)
            }
            #expect(error?.code == .unreachable)
        }
    }

    @Test func aStoreThatIsOpenTakesNoMoreChangesWhenItsHistoryHasEnded() async throws {
        try await withStores(2) { server, address, stores in
            try await stores[0].toggle(1)
            try await server.run("UPDATE marvel.meta SET timeline = timeline - 1", in: address)
            try await server.endConnections(to: address, named: "")
            for store in stores {
                await #expect(throws: StoreError.self) {
                    // The first ones may be taken in the moment before the connections end.
                    for id: Int64 in 2...1_000 { try await store.toggle(id) }
                }
                #expect(store.refusal != nil)
            }
        }
    }
}
