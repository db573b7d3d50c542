internal import MarvelDomain
internal import Testing

@testable internal import FavoritesSQLite

@Suite struct ToggleTests {
    let clock = TestClock()

    private func store(capacity: Int = 5, maximumLists: Int = 100) throws -> SQLiteFavoritesStore {
        try .inMemory(capacity: capacity, maximumLists: maximumLists, now: clock.now)
    }

    @Test func anUnknownListIsEmptyAtRevisionZero() async throws {
        let list = try await store().favorites(.default)
        #expect(list == FavoritesList(favorites: [], revision: 0, capacity: 5))
    }

    @Test func aToggleSavesAndTheNextRemoves() async throws {
        let store = try store()
        #expect(try await store.toggle(7) == ToggleResult(isFavorite: true, revision: 1))
        #expect(try await store.ids() == [7])
        #expect(try await store.toggle(7) == ToggleResult(isFavorite: false, revision: 2))
        #expect(try await store.ids() == [])
        #expect(try await store.favorites(.default).revision == 2)
    }

    @Test func favoritesAreInTheOrderOfSavingWhateverTheClockSays() async throws {
        let store = try store()
        for id: Int64 in [30, 10, 20] {
            try await store.toggle(id)
            clock.advance(by: -3600)
        }
        try await store.toggle(30, .removed)
        try await store.toggle(30, .saved)
        #expect(try await store.ids() == [10, 20, 30])
    }

    @Test func theSixthEvictsTheOldestAndSaysWhich() async throws {
        let store = try store()
        for id: Int64 in 1...5 {
            try await store.toggle(id)
            clock.advance(by: 1)
        }
        let first = Favorite(character: character(1), savedAt: Timestamp(seconds: 1_700_000_000))
        #expect(try await store.toggle(6) == ToggleResult(isFavorite: true, revision: 6, evicted: [first]))
        #expect(try await store.ids() == [2, 3, 4, 5, 6])
    }

    @Test func whatChangesNothingAnswersTheCurrentRevision() async throws {
        let store = try store()
        try await store.toggle(7)
        #expect(try await store.toggle(7, .saved) == ToggleResult(isFavorite: true, revision: 1))
        #expect(try await store.toggle(8, .removed) == ToggleResult(isFavorite: false, revision: 1))
        #expect(try await store.ids() == [7])
    }

    @Test(arguments: [nil, "r-1"])
    func aSaveWithoutItsCharacterChangesNothing(request: String?) async throws {
        let store = try store()
        let toggle = Toggle(list: .default, characterID: 7, requestID: try requestID(request))
        #expect(try await store.toggle(toggle, character: nil) == .characterNeeded)
        #expect(try await store.toggle(toggle, character: character(8)) == .characterNeeded)
        #expect(try await store.favorites(.default).revision == 0)
        // No answer was kept: with the character, the same request is done.
        let done = ToggleOutcome.done(ToggleResult(isFavorite: true, revision: 1))
        #expect(try await store.toggle(toggle, character: character(7)).withoutPlace == done)
    }

    @Test func aRemovalAndASaveOfWhatIsSavedNeedNoCharacter() async throws {
        let store = try store()
        try await store.toggle(7)
        let again = Toggle(list: .default, characterID: 7, desired: .saved)
        #expect(
            try await store.toggle(again, character: nil).withoutPlace
                == .done(ToggleResult(isFavorite: true, revision: 1))
        )
        let removal = Toggle(list: .default, characterID: 7)
        #expect(
            try await store.toggle(removal, character: nil).withoutPlace
                == .done(ToggleResult(isFavorite: false, revision: 2))
        )
    }

    @Test func listsAreApartAndCaseCounts() async throws {
        let store = try store()
        let (lower, upper) = (try list("avengers"), try list("Avengers"))
        try await store.toggle(1, on: lower)
        try await store.toggle(2, on: upper)
        #expect(try await store.ids(lower) == [1])
        #expect(try await store.ids(upper) == [2])
        #expect(try await store.favorites(upper).revision == 1)
    }

    @Test func noMoreListsThanAllowedAndThoseThatExistGoOn() async throws {
        let store = try store(maximumLists: 2)
        let (first, second, third) = (try list("1"), try list("2"), try list("3"))
        try await store.toggle(1, on: first)
        // A removal that removes nothing creates no list.
        try await store.toggle(1, on: third, .removed)
        try await store.toggle(1, on: second)
        await #expect(throws: StoreError.listLimitReached(maximum: 2)) {
            try await store.toggle(1, on: third, request: "r-1")
        }
        #expect(try await store.ids(third) == [])
        try await store.toggle(2, on: first)
        // A list that was emptied still exists.
        try await store.toggle(1, on: second)
        try await store.toggle(5, on: second)
        #expect(try await store.ids(second) == [5])
    }

    @Test func manyTogglesAtOnceAllCountOnce() async throws {
        let store = try store(capacity: 100)
        let revisions = try await withThrowingTaskGroup { group in
            for id: Int64 in 1...100 {
                group.addTask { try await store.toggle(id).revision }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(revisions == Set(1...100))
        #expect(Set(try await store.ids()) == Set(1...100))
    }
}
