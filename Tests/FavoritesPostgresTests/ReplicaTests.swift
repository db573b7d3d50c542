internal import MarvelDomain
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// Several stores on one database: each hears of the others' changes, whatever becomes of its connections.
@Suite(.needsPostgres) struct ReplicaTests {
    @Test func changesOfTwoStoresHaveConsecutiveRevisions() async throws {
        try await withStores(2) { _, _, stores in
            let recorders = stores.map { Recorder($0.feed) }
            for turn in 0..<40 { try await stores[turn % 2].toggle(Int64(turn / 2 + 1)) }
            #expect(recorders[1].revisions() == Array(1...40), "its own change is sent after those before it")
            #expect(recorders[1].changes().count == 40)
        }
    }

    @Test func manyCallersOfThreeStoresAgree() async throws {
        try await withStores(3, .init(capacity: 3)) { _, _, stores in
            let feeds = stores.map { Recorder($0.feed) }
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
            let feed = Recorder(stores[1].feed)
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

    @Test func changesDuringADisconnectionArriveAfterIt() async throws {
        try await withStores(2) { server, address, stores in
            let connection = try PostgresConnection(DatabaseAddress(address), name: "feed test")
            let marks = try connection.readMarks().marks
            for id: Int64 in 1...3 { try await stores[0].toggle(id) }
            #expect(marks.difference(to: try connection.readMarks().marks) == .init(changed: [.default: 0]))
            let changes = try #require(try connection.changes(after: [.default: 0], in: marks.history))
            #expect(changes.compactMap(\.news.change) == (try await stores[0].allChanges()))
            #expect(changes.map(\.news.digest).last == (try connection.readMarks().marks[.default]?.digest))
        }
    }
}

extension FavoritesStore {
    fileprivate func allChanges(of list: ListName = .default) async throws -> [FavoritesChange] {
        guard case .changes(let changes) = try await changes(of: list, after: 0, limit: 10_000) else { return [] }
        return changes
    }
}
