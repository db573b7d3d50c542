internal import MarvelDomain
internal import StoreContract
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// Several stores on one database: each gets the others' changes, also after its connections were lost.
@Suite(.needsPostgres) struct ReplicaTests {
    @Test func manyCallersOfThreeStoresSeeTheSameChanges() async throws {
        try await withStores(3, .init(capacity: 3)) { _, _, stores in
            let feeds = stores.map { FeedRecorder($0) }
            let names = try ["a", "b", "c"].map(list)
            try await withThrowingTaskGroup { group in
                for number in 0..<300 {
                    group.addTask {
                        let (store, name) = (stores[number % 3], names[number / 3 % 3])
                        _ = try await store.toggle(Int64(number / 9 + 1), on: name, .saved)
                    }
                }
                try await group.waitForAll()
            }
            for name in names {
                let last = try await stores[0].snapshot(of: name).list.revision
                let logged = try await stores[0].allChanges(of: name)
                #expect(logged.map(\.revision) == Array(1...last))
                for feed in feeds {
                    await feed.wait(for: last, of: name)
                    #expect(feed.changes(of: name) == logged)
                }
            }
        }
    }

    @Test(arguments: ["feed", "writer", "reader", "background", ""])
    func lostConnectionsLoseNothing(_ part: String) async throws {
        try await withStores(2) { server, address, stores in
            let feed = FeedRecorder(stores[1])
            for round in 0..<5 {
                try await withThrowingTaskGroup { group in
                    for number in 0..<20 {
                        group.addTask { _ = try await stores[number % 2].toggle(Int64(round * 20 + number + 1)) }
                    }
                    group.addTask { try await server.endConnections(to: address, named: part) }
                    try await group.waitForAll()
                }
            }
            let last = try await stores[0].snapshot(of: .default).list.revision
            await feed.wait(for: last)
            #expect(feed.revisions() == Array(1...last))
            #expect(feed.changes() == (try await stores[0].allChanges()))
            #expect(feed.changes().count { $0.saved != nil } == 100, "each was saved once")
        }
    }

    @Test func aServerThatIsAloneSendsNoNotifications() async throws {
        func wait(until isAlone: Bool, _ store: PostgresFavoritesStore) async throws {
            while store.status.isAlone != isAlone { try await Task.sleep(for: .milliseconds(1)) }
        }
        try await withStores { _, address, stores in
            // It has no lock of a feed.
            let listener = try PostgresConnection(DatabaseAddress(address), name: "listener")
            try listener.execute("LISTEN marvel")
            func hasNotification() throws -> Bool {
                try listener.execute("SELECT")
                return listener.takeNotifications(otherThan: listener.backendID)
            }
            try await wait(until: true, stores[0])
            _ = try hasNotification()
            for id: Int64 in 1...20 { try await stores[0].toggle(id) }
            #expect(try !hasNotification())
            let other = try await PostgresFavoritesStore.open(address)
            try await wait(until: false, stores[0])
            repeat { try await stores[0].toggle(1) } while try !hasNotification()
            #expect(!other.status.isAlone)
            await other.close()
            try await wait(until: true, stores[0])
        }
    }
}
