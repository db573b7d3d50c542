internal import MarvelDomain
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// The deletion of old records, and what of it readers notice.
@Suite(.needsPostgres) struct SweepTests {
    private func sweep(_ address: String, answers: Int64 = 100, names: Int64 = 100, at now: Int64) throws {
        let connection = try PostgresConnection(DatabaseAddress(address), name: "sweep")
        let sweeper = RecordSweeper(maximumAnswers: answers, maximumDeletedNames: names) { Timestamp(seconds: now) }
        try sweeper.sweep(connection)
    }

    @Test func answersAreKeptForSevenDaysAndTheNewestOnesOfTooMany() async throws {
        try await withStores { server, address, stores in
            for number in 1...5 { try await stores[0].toggle(1, request: "r-\(number)") }
            let made = Int64(try await server.run("SELECT max(created_at) FROM marvel.answers", in: address)) ?? 0
            func count() async throws -> String {
                try await server.run("SELECT count(*) FROM marvel.answers", in: address)
            }
            try sweep(address, answers: 2, at: made + 60)
            #expect(try await count() == "5", "young ones stay, however many")
            let ages = "created_at = created_at - 6 + right(request_id, 1)::int"
            try await server.run("UPDATE marvel.answers SET \(ages)", in: address)
            try sweep(address, answers: 2, at: made + 200)
            #expect(try await count() == "3", "those before the second newest")
            try sweep(address, at: made + 8 * 24 * 60 * 60)
            #expect(try await count() == "0")
        }
    }

    @Test func theNameThatWasDeletedFirstIsDroppedAndTheBaseRises() async throws {
        try await withStores { _, address, stores in
            let store = stores[0]
            for name in ["a", "b"] {
                for id: Int64 in 1...3 { try await store.toggle(id, on: try list(name)) }
                _ = try await store.delete(try list(name))
            }
            try sweep(address, names: 1, at: 0)
            #expect(try await store.snapshot(of: try list("a")).list.revision == 4)
            #expect(try await store.snapshot(of: try list("never")).list.revision == 4)
            #expect(try await store.toggle(1, on: try list("a")).revision == 5)
            #expect(try await store.toggle(1, on: try list("b")).revision == 5)
            let changes = try await store.changes(of: try list("a"), after: 0, limit: 10)
            #expect(changes == .compacted(oldest: 4))
        }
    }

    @Test func theLastChangesOfAListAreKept() async throws {
        try await withStores(1, .init(changesPerList: 3)) { _, _, stores in
            for id: Int64 in 1...5 { try await stores[0].toggle(id) }
            #expect(try await stores[0].changes(of: .default, after: 1, limit: 10) == .compacted(oldest: 2))
            guard case .changes(let kept) = try await stores[0].changes(of: .default, after: 2, limit: 10) else {
                Issue.record("the changes are not there")
                return
            }
            #expect(kept.map(\.revision) == [3, 4, 5])
        }
    }

    @Test func picturesAreKeptOfCharactersOnLists() async throws {
        try await withStores { _, _, stores in
            let store = stores[0]
            try await store.toggle(1)
            let picture = Picture(bytes: [0x89, 0, 255], mediaType: .png)
            #expect(try await store.charactersWithoutPicture(excluding: [], limit: 5).map(\.id) == [1])
            #expect(try await store.charactersWithoutPicture(excluding: [1], limit: 5) == [])
            #expect(try await store.keep([1: picture, 2: picture]) == [1])
            #expect(try await store.picture(of: 1)?.picture == picture)
            #expect(try await store.hasPicture(of: 2) == false)
            #expect(try await store.charactersWithoutPicture(excluding: [], limit: 5) == [])
            try await store.dropPictures(of: [1])
            #expect(try await store.hasPicture(of: 1))
            try await store.toggle(1)
            try await store.dropPictures(of: nil)
            #expect(try await store.picture(of: 1) == nil)
        }
    }
}
