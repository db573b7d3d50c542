internal import MarvelDomain
internal import Testing

@testable internal import FavoritesSQLite

@Suite struct CapacityTests {
    @Test func aLoweredCapacityTrimsEachListAtStartAsOneChange() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/favorites.db"
            let (other, short) = (try list("other"), try list("short"))
            let store = try SQLiteFavoritesStore(path: path, now: TestClock().now)
            for id: Int64 in 1...5 {
                try await store.toggle(id)
                if id < 5 { try await store.toggle(id, on: other) }
            }
            try await store.toggle(1, on: short)
            let before = try await store.favorites(.default).favorites
            await store.close()

            let smaller = try SQLiteFavoritesStore(path: path, capacity: 2)
            #expect(try await smaller.ids() == [4, 5])
            #expect(try await smaller.ids(other) == [3, 4])
            #expect(try await smaller.ids(short) == [1])
            let list = try await smaller.favorites(.default)
            #expect((list.capacity, list.revision) == (2, 6))
            let change = FavoritesChange(revision: 6, evicted: Array(before.prefix(3)))
            #expect(try await smaller.changes(of: .default, after: 5, limit: 10) == .changes([change]))
            #expect(try await smaller.changes(of: short, after: 1, limit: 10) == .changes([]))
            #expect(try await smaller.toggle(6).evicted.map(\.character.id) == [4])
            await smaller.close()

            let again = try SQLiteFavoritesStore(path: path, capacity: 2)
            #expect(again.openingReport.problems == [])
            #expect(try await again.favorites(.default).revision == 7)
            await again.close()
        }
    }

    @Test func aRaisedCapacityChangesNothing() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/favorites.db"
            let store = try SQLiteFavoritesStore(path: path, capacity: 1)
            try await store.toggle(1)
            await store.close()
            let larger = try SQLiteFavoritesStore(path: path, capacity: 2)
            #expect(try await larger.favorites(.default).revision == 1)
            #expect(try await larger.toggle(2).evicted == [])
            #expect(try await larger.ids() == [1, 2])
            await larger.close()
        }
    }
}
