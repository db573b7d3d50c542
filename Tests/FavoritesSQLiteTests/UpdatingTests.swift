internal import GRDB
internal import MarvelDomain
internal import StoreContract
internal import Testing

@testable internal import FavoritesSQLite

/// Characters that were edited, on the lists that hold them.
@Suite struct UpdatingTests {
    private static func edited(_ id: Int64) -> MarvelCharacter { MarvelCharacter(id: id, name: "Edited \"\(id)\"") }

    private static let savedAt = Timestamp(seconds: 1_700_000_000)

    private func store() throws -> SQLiteFavoritesStore { try .inMemory(now: TestClock().now) }

    @Test func eachListThatHoldsTheCharacterChangesOnceAndNoOther() async throws {
        let store = try store()
        let other = try list("other")
        for id: Int64 in [1, 2, 3] { try await store.toggle(id) }
        try await store.toggle(2, on: other)
        try await store.toggle(1, on: try list("third"))
        #expect(try await store.update([Self.edited(2), Self.edited(9)]) == 2)

        let favorite = Favorite(character: Self.edited(2), savedAt: Self.savedAt)
        #expect(
            try await store.changes(of: .default, after: 3, limit: 9)
                == .changes([FavoritesChange(revision: 4, updated: [favorite])])
        )
        #expect(
            try await store.changes(of: other, after: 1, limit: 9)
                == .changes([FavoritesChange(revision: 2, updated: [favorite])])
        )
        let listed = try await store.favorites(.default)
        #expect(listed.revision == 4)
        #expect(listed.favorites.map(\.character) == [character(1), Self.edited(2), character(3)])
        #expect(try await store.favorites(list("third")).revision == 1)
    }

    @Test func severalCharactersOfOneListAreOneChange() async throws {
        let store = try store()
        for id: Int64 in [1, 2, 3] { try await store.toggle(id) }
        #expect(try await store.update([Self.edited(3), Self.edited(1)]) == 1)
        guard case .changes(let changes) = try await store.changes(of: .default, after: 3, limit: 9) else {
            Issue.record("no changes")
            return
        }
        #expect(changes.map { $0.updated.map(\.character.id) } == [[1, 3]])
    }

    @Test func whatIsUpToDateOrUnknownIsLeftAlone() async throws {
        let store = try store()
        try await store.toggle(1)
        #expect(try await store.update([character(1)]) == 0)
        #expect(try await store.update([Self.edited(9)]) == 0)
        #expect(try await store.update([character(7)]) == 0)
        #expect(try await store.update([]) == 0)
        #expect(try await store.update([Self.edited(1)]) == 1)
        // Twice is once.
        #expect(try await store.update([Self.edited(1)]) == 0)
        #expect(try await store.favorites(.default).revision == 2)
    }

    @Test func whoFollowsTheListHearsOfItInOrder() async throws {
        let store = try store()
        let feed = FeedRecorder(store)
        try await store.toggle(1)
        _ = try await store.update([Self.edited(1)])
        try await store.toggle(2)
        #expect(feed.revisions() == [1, 2, 3])
        #expect(feed.changes()[1].updated.map(\.character.name) == ["Edited \"1\""])
    }

    @Test func aFavoriteThatWasUpdatedIsRemovedAndEvictedAsItIsNow() async throws {
        let store = try SQLiteFavoritesStore.inMemory(capacity: 2, now: TestClock().now)
        for id: Int64 in [1, 2] { try await store.toggle(id) }
        _ = try await store.update([Self.edited(1), Self.edited(2)])
        #expect(try await store.toggle(3).evicted.map(\.character) == [Self.edited(1)])
        #expect(try await store.toggle(2).isFavorite == false)
        #expect(try await store.ids() == [3])
    }

    /// More lists than one commit takes.
    @Test func manyListsChangeInSeveralCommits() async throws {
        let store = try store()
        for number in 0..<450 { try await store.toggle(1, on: try list("list-\(number)")) }
        #expect(try await store.update([Self.edited(1)]) == 450)
    }

    @Test func theStoreIsWholeAfterARestartAndTheAuditPlaysUpdatesAgain() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/store"
            let store = try SQLiteFavoritesStore(path: path, now: TestClock().now)
            for id: Int64 in [1, 2] { try await store.toggle(id) }
            _ = try await store.update([Self.edited(1), Self.edited(2)])
            try await store.toggle(2, .removed)
            await store.close()
            #expect(try StoreCheck.check(path).problems == [])
            let again = try SQLiteFavoritesStore(path: path)
            #expect(again.openingReport.problems == [])
            #expect(try await again.favorites(.default).favorites.map(\.character) == [Self.edited(1)])
            await again.close()
        }
    }

    @Test(arguments: [
        ("DELETE FROM changes WHERE revision = 3", "list default: change 3 is missing"),
        (
            "UPDATE favorites SET snapshot = replace(snapshot, 'Edited', 'Edired') WHERE character_id = 1",
            "list default: character 1 is not as change 3 left it"
        ),
    ])
    func theCheckFindsAnUpdateThatIsNotThere(sql: String, finding: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/store"
            let store = try SQLiteFavoritesStore(path: path)
            for id: Int64 in [1, 2] { try await store.toggle(id) }
            _ = try await store.update([Self.edited(1)])
            try await store.toggle(3)
            await store.close()
            let database = try DatabaseQueue(path: path)
            try await database.writeWithoutTransaction { db in try db.execute(sql: sql) }
            try database.close()
            #expect(try StoreCheck.check(path).problems.contains(finding))
        }
    }
}
