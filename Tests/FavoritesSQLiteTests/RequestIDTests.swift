internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

/// How long answers to requests with ids are kept.
@Suite struct RequestIDTests {
    private func store(answers: AnswerRetention = AnswerRetention(), clock: TestClock) throws -> SQLiteFavoritesStore {
        SQLiteFavoritesStore(
            try .inMemory(),
            limits: StoreLimits(capacity: 2, answers: answers),
            now: clock.now
        )
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
        try await database.read { db in try db.value("SELECT count(*) FROM answers", as: Int.self) }
    }
}
