internal import Dispatch
internal import FavoritesEngine
internal import MarvelDomain
internal import SQLiteFiles
internal import Synchronization
internal import Testing

@testable internal import FavoritesSQLite

/// Toggles that share a transaction.
@Suite(.temporaryFolder) struct GroupTests {
    typealias Answer = Result<ToggleOutcome, StoreError>

    /// Time that passes only when a test says so.
    private final class Stopwatch: Sendable {
        let start = ContinuousClock.now
        private let elapsed = Mutex(Duration.zero)

        var now: ContinuousClock.Instant { start + elapsed.withLock { $0 } }

        func advance(by duration: Duration) { elapsed.withLock { $0 += duration } }
    }

    @Test func togglesThatArriveDuringACommitShareTheNext() async throws {
        let store = try SQLiteFavoritesStore.temporary(StoreLimits(capacity: 100))
        let commits = Mutex(0)
        store.setBeforeCommit { commits.withLock { $0 += 1 } }
        let answers = try await answers(of: store, to: (1...50).map { Toggle(list: .default, characterID: $0) })
        #expect(Set(answers.map(revision)) == Set(1...50))
        #expect(commits.withLock { $0 } == 1)
        #expect(try await store.ids().count == 50)
    }

    @Test func theRowsAreAsTheLastToggleOfEachCharacterLeftThem() async throws {
        let grouped = try SQLiteFavoritesStore.temporary(StoreLimits(capacity: 3))
        let single = try SQLiteFavoritesStore.temporary(StoreLimits(capacity: 3))
        var random = SplitMix64(seed: 616)
        for _ in 1...30 {
            let toggles = (1...12).map { _ in
                Toggle(list: .default, characterID: Int64.random(in: 1...6, using: &random))
            }
            _ = try await answers(of: grouped, to: toggles)
            for toggle in toggles { _ = await answer(of: single, to: toggle) }
            let (ids, expected) = (try await grouped.ids(), try await single.ids())
            #expect(ids == expected)
            #expect(try await grouped.problems() == [])
        }
        let rows = "SELECT character_id || ' at ' || saved_revision FROM favorites ORDER BY saved_revision"
        let written = try await grouped.database.read { db in try db.values(rows, as: String.self) }
        let expected = try await single.database.read { db in try db.values(rows, as: String.self) }
        #expect(written == expected)
    }

    @Test func aRecordThatCannotBeReadRefusesItsListAlone() async throws {
        let store = try SQLiteFavoritesStore.temporary()
        let other = try list("other")
        try await store.toggle(1)
        try store.database.sync { db in
            try db.execute("UPDATE favorites SET snapshot = '{}'")
        }
        let toggles = [(ListName.default, 2), (other, 1), (.default, 1), (.default, 3), (other, 2)].map {
            Toggle(list: $0.0, characterID: $0.1)
        }
        let answers = try await answers(of: store, to: toggles)
        #expect(answers.map { (try? $0.get()) != nil } == [false, true, false, false, true])
        #expect(answers[3] == .failure(.damaged(.default)))
        #expect(try await store.lists(prefix: "", after: nil, limit: 2).map(\.ids) == [[1], [1, 2]])
        #expect(store.refusal == nil)
    }

    @Test func callsAboveTheBoundAreRefusedImmediately() async throws {
        let limits = StoreLimits(capacity: 100, inbox: InboxLimits(maximumCount: 10))
        let store = try SQLiteFavoritesStore.temporary(limits)
        let mayGoOn = store.holdWriter()
        await withTaskGroup(of: Answer.self) { group in
            for id: Int64 in 1...15 {
                group.addTask { await answer(of: store, to: Toggle(list: .default, characterID: id)) }
            }
            // Those over the bound need no writer: they are answered while it is held.
            for _ in 1...5 { #expect(await group.next() == .failure(.overloaded)) }
            mayGoOn.signal()
            await group.waitForAll()
        }
        #expect(try await store.ids().count == 10)
    }

    @Test func aboveTheLimitTheOldestAnswersLeaveButNeverTheYoung() async throws {
        let stopwatch = Stopwatch()
        let limits = StoreLimits(retention: StoreRetention(answers: 10))
        let store = try SQLiteFavoritesStore.temporary(limits) { stopwatch.now }
        for number in 1...30 { try await store.toggle(1, request: "young-\(number)") }
        #expect(try await store.answerCount() == 30)
        stopwatch.advance(by: .seconds(130))
        try await store.toggle(1, request: "young-31")
        stopwatch.advance(by: .seconds(130))
        // Each that comes lets two leave.
        for number in 1...5 { try await store.toggle(1, request: "later-\(number)") }
        #expect(try await store.answerCount() == 25)
        for number in 6...25 { try await store.toggle(1, request: "later-\(number)") }
        #expect(try await store.answerCount() == 25, "all that came in the last two minutes")
        stopwatch.advance(by: .seconds(130))
        for number in 1...40 {
            try await store.toggle(1, request: "last-\(number)")
            stopwatch.advance(by: .seconds(130))
        }
        #expect(try await store.answerCount() == 10)
    }

    @Test func closeFinishesQueuedWork() async throws {
        let store = try SQLiteFavoritesStore.temporary(StoreLimits(capacity: 100))
        let answers = await withTaskGroup(of: Answer.self) { group in
            let mayGoOn = store.holdWriter()
            for id: Int64 in 1...30 {
                group.addTask { await answer(of: store, to: Toggle(list: .default, characterID: id)) }
            }
            await store.untilWaiting(30)
            mayGoOn.signal()
            await store.close()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(answers.map(revision)) == Set(1...30))
    }

    /// Makes `toggles` one group.
    private func answers(of store: SQLiteFavoritesStore, to toggles: [Toggle]) async throws -> [Answer] {
        let mayGoOn = store.holdWriter()
        var calls: [Task<Answer, Never>] = []
        for (index, toggle) in toggles.enumerated() {
            calls.append(Task { await answer(of: store, to: toggle) })
            await store.untilWaiting(index + 1)
        }
        mayGoOn.signal()
        var answers: [Answer] = []
        for call in calls { answers.append(await call.value) }
        return answers
    }

    private func revision(_ answer: Answer) -> Int64? {
        guard case .success(.done(let result)) = answer else { return nil }
        return result.revision
    }
}

private func answer(of store: SQLiteFavoritesStore, to toggle: Toggle) async -> Result<ToggleOutcome, StoreError> {
    do throws(StoreError) {
        return .success(try await store.toggle(toggle, character: character(toggle.characterID)))
    } catch {
        return .failure(error)
    }
}
