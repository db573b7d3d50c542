internal import GRDB
internal import MarvelDomain
internal import Testing

@testable internal import FavoritesSQLite

@Suite struct RequestIDTests {
    private func store(answers: AnswerRetention = AnswerRetention(), clock: TestClock) throws -> SQLiteFavoritesStore {
        SQLiteFavoritesStore(
            try .inMemory(),
            limits: StoreLimits(capacity: 2, answers: answers),
            now: clock.now
        )
    }

    @Test func aRepeatGetsTheSameAnswerAndChangesNothing() async throws {
        let store = try store(clock: TestClock())
        try await store.toggle(1)
        try await store.toggle(2)
        let first = try await store.toggle(3, request: "r-1")
        #expect(first.evicted.map(\.character.id) == [1])
        try await store.toggle(4)
        #expect(try await store.toggle(3, request: "r-1") == first)
        #expect(try await store.ids() == [3, 4])
        #expect(try await store.favorites(.default).revision == 4)
    }

    @Test func aRepeatNeedsNoCharacter() async throws {
        let store = try store(clock: TestClock())
        let answer = try await store.toggle(1, request: "r-1")
        let toggle = Toggle(list: .default, characterID: 1, requestID: try requestID("r-1"))
        #expect(try await store.toggle(toggle, character: nil).withoutPlace == .done(answer))
    }

    @Test func anAnswerThatChangedNothingIsKeptToo() async throws {
        let store = try store(clock: TestClock())
        let answer = try await store.toggle(1, .removed, request: "r-1")
        #expect(answer == ToggleResult(isFavorite: false, revision: 0))
        try await store.toggle(1)
        #expect(try await store.toggle(1, .removed, request: "r-1") == answer)
        #expect(try await store.ids() == [1])
    }

    @Test(arguments: [
        ("default", 2, Toggle.Desired.toggle), ("other", 1, .toggle), ("default", 1, .saved), ("default", 1, .removed),
    ])
    func otherContentsAreRefused(name: String, id: Int64, desired: Toggle.Desired) async throws {
        let store = try store(clock: TestClock())
        try await store.toggle(1, request: "r-1")
        let list = try list(name)
        await #expect(throws: StoreError.requestIDReused) {
            try await store.toggle(id, on: list, desired, request: "r-1")
        }
        #expect(try await store.ids() == [1])
        #expect(try await store.favorites(.default).revision == 1)
    }

    @Test func theSameRequestManyTimesAtOnceIsDoneOnce() async throws {
        let store = try store(clock: TestClock())
        let answers = try await withThrowingTaskGroup { group in
            for _ in 1...51 {
                group.addTask { try await store.toggle(1, request: "r-1") }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers == [ToggleResult(isFavorite: true, revision: 1)])
        #expect(try await store.ids() == [1])
    }

    @Test func anAnswerIsKeptSevenDays() async throws {
        let clock = TestClock()
        let store = try store(clock: clock)
        try await store.toggle(1, request: "old")
        clock.advance(by: 7 * 24 * 60 * 60)
        try await store.toggle(2, request: "new")
        #expect(try await store.toggle(1, request: "old").revision == 1)
        clock.advance(by: 1)
        try await store.toggle(2, request: "newer")
        #expect(try await store.answerCount() == 2)
    }

    @Test func aboveTheLimitTheOldestLeaveButNeverTheYoung() async throws {
        let clock = TestClock()
        let store = try store(answers: AnswerRetention(maximumCount: 10), clock: clock)
        for number in 1...30 { try await store.toggle(1, request: "young-\(number)") }
        #expect(try await store.answerCount() == 30)
        clock.advance(by: 121)
        // Each that comes lets two leave.
        for number in 1...15 { try await store.toggle(1, request: "later-\(number)") }
        #expect(try await store.answerCount() == 15)
        for number in 16...25 { try await store.toggle(1, request: "later-\(number)") }
        #expect(try await store.answerCount() == 25)
        clock.advance(by: 121)
        for number in 1...40 {
            try await store.toggle(1, request: "last-\(number)")
            clock.advance(by: 121)
        }
        #expect(try await store.answerCount() == 10)
    }

    @Test func answersOfAClockThatWasAheadDoNotHoldUpTheRest() async throws {
        let clock = TestClock()
        let store = try store(answers: AnswerRetention(maximumCount: 3), clock: clock)
        clock.advance(by: 1_000_000_000)
        for number in 1...5 { try await store.toggle(1, request: "ahead-\(number)") }
        clock.advance(by: -1_000_000_000)
        for number in 1...5 {
            try await store.toggle(1, request: "back-\(number)")
            clock.advance(by: 200)
        }
        #expect(try await store.answerCount() == 3)
    }
}

extension SQLiteFavoritesStore {
    func answerCount() async throws -> Int? {
        try await database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM answers") }
    }
}
