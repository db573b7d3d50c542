internal import CSQLite
internal import Dispatch
internal import FavoritesEngine
internal import MarvelDomain
internal import SQLiteFiles
internal import Synchronization
internal import Testing

@testable internal import FavoritesSQLite

/// Toggles that share a transaction.
@Suite struct GroupTests {
    typealias Answer = Result<ToggleOutcome, StoreError>

    /// Time that passes only when a test says so.
    private final class Stopwatch: Sendable {
        let start = ContinuousClock.now
        private let elapsed = Mutex(Duration.zero)

        var now: ContinuousClock.Instant { start + elapsed.withLock { $0 } }

        func advance(by duration: Duration) { elapsed.withLock { $0 += duration } }
    }

    /// Makes a store in which no toggle has waited too long, however busy the machine is, unless the stopwatch says so.
    private func store(
        _ limits: StoreLimits = StoreLimits(),
        _ stopwatch: Stopwatch = Stopwatch()
    ) throws -> SQLiteFavoritesStore {
        SQLiteFavoritesStore(try .inMemory(limits: limits), limits: limits, now: TestClock().now) { stopwatch.now }
    }

    @Test func togglesThatArriveDuringACommitShareTheNext() async throws {
        let store = try SQLiteFavoritesStore.inMemory(capacity: 100)
        let commits = Mutex(0)
        store.setBeforeCommit { commits.withLock { $0 += 1 } }
        let answers = try await answers(of: store, to: (1...50).map { Toggle(list: .default, characterID: $0) })
        #expect(Set(answers.map(revision)) == Set(1...50))
        #expect(commits.withLock { $0 } == 1)
        #expect(try await store.ids().count == 50)
    }

    @Test func favoritesAreInTheOrderOfSavingWhateverTheClockSays() async throws {
        let clock = TestClock()
        let store = try SQLiteFavoritesStore.inMemory(now: clock.now)
        for id: Int64 in [30, 10, 20] {
            try await store.toggle(id)
            clock.advance(by: -3600)
        }
        try await store.toggle(30, .removed)
        try await store.toggle(30, .saved)
        #expect(try await store.ids() == [10, 20, 30])
    }

    @Test func aGroupIsNoLargerThanItsBound() async throws {
        let limits = StoreLimits(capacity: 100, inbox: InboxLimits(maximumGroup: 8))
        let store = try self.store(limits)
        let commits = Mutex(0)
        store.setBeforeCommit { commits.withLock { $0 += 1 } }
        _ = try await answers(of: store, to: (1...20).map { Toggle(list: .default, characterID: $0) })
        #expect(commits.withLock { $0 } == 3)
    }

    @Test func oneRequestTwiceInAGroupIsDoneOnce() async throws {
        let store = try SQLiteFavoritesStore.inMemory()
        let toggle = Toggle(list: .default, characterID: 1, requestID: try requestID("r-1"))
        let answers = try await answers(of: store, to: [toggle, toggle, toggle])
        #expect(answers == Array(repeating: .success(.done(ToggleResult(isFavorite: true, revision: 1))), count: 3))
        #expect(try await store.answerCount() == 1)
    }

    @Test func theRowsAreAsTheLastToggleOfEachCharacterLeftThem() async throws {
        let (grouped, single) = (try store(StoreLimits(capacity: 3)), try store(StoreLimits(capacity: 3)))
        var random = SplitMix64(seed: 616)
        for _ in 1...30 {
            let toggles = (1...12).map { _ in
                Toggle(list: .default, characterID: Int64.random(in: 1...6, using: &random))
            }
            _ = try await answers(of: grouped, to: toggles, inOrder: true)
            for toggle in toggles { _ = await answer(of: single, to: toggle) }
            let (ids, expected) = (try await grouped.ids(), try await single.ids())
            #expect(ids == expected)
            let problems = try await grouped.database.read { db in
                try StoreAudit.audit(db, witness: nil, isThorough: true).problems
            }
            #expect(problems == [])
        }
        let rows = "SELECT character_id || ' at ' || saved_revision FROM favorites ORDER BY saved_revision"
        let written = try await grouped.database.read { db in try db.values(rows, as: String.self) }
        let expected = try await single.database.read { db in try db.values(rows, as: String.self) }
        #expect(written == expected)
    }

    @Test func aRefusalInAGroupLeavesTheOthers() async throws {
        let store = try SQLiteFavoritesStore.inMemory(maximumLists: 1)
        let other = try list("other")
        let answers = try await answers(
            of: store,
            to: [
                Toggle(list: .default, characterID: 1, requestID: try requestID("r-1")),
                Toggle(list: other, characterID: 1),
                Toggle(list: .default, characterID: 2, requestID: try requestID("r-1")),
                Toggle(list: .default, characterID: 3),
            ],
            inOrder: true
        )
        #expect(
            answers == [
                .success(.done(ToggleResult(isFavorite: true, revision: 1))),
                .failure(.listLimitReached(maximum: 1)),
                .failure(.requestIDReused),
                .success(.done(ToggleResult(isFavorite: true, revision: 2))),
            ]
        )
        #expect(try await store.ids() == [1, 3])
        #expect(try await store.favorites(other).revision == 0)
    }

    @Test func aRecordThatCannotBeReadRefusesItsListAlone() async throws {
        let store = try SQLiteFavoritesStore.inMemory()
        let other = try list("other")
        try await store.toggle(1)
        try store.database.sync { db in
            try db.execute("UPDATE favorites SET snapshot = '{}'")
        }
        let toggles = [(ListName.default, 2), (other, 1), (.default, 1), (.default, 3), (other, 2)].map {
            Toggle(list: $0.0, characterID: $0.1)
        }
        let answers = try await answers(of: store, to: toggles, inOrder: true)
        #expect(answers.map { (try? $0.get()) != nil } == [false, true, false, false, true])
        #expect(answers[3] == .failure(.damaged(.default)))
        #expect(try await store.lists(prefix: "", after: nil, limit: 2).map(\.ids) == [[1], [1, 2]])
        #expect(store.refusal == nil)
    }

    @Test(arguments: [SQLITE_FULL, SQLITE_IOERR | 3 << 8, SQLITE_IOERR | 4 << 8])
    func aCommitThatFailsFailsForAllAndDoesNothing(code: CInt) async throws {
        let store = try SQLiteFavoritesStore.inMemory(capacity: 100)
        try await store.toggle(100, request: "r-100")
        store.setBeforeCommit { throw DatabaseError(code) }
        let toggles = try (1...20).map {
            Toggle(list: .default, characterID: $0, requestID: try requestID("r-\($0)"))
        }
        let answers = try await answers(of: store, to: toggles)
        #expect(answers.allSatisfy { (try? $0.get()) == nil })
        store.setBeforeCommit(nil)
        #expect(try await store.ids() == [100])
        #expect(try await store.answerCount() == 1)
        #expect(try await store.changes(of: .default, after: 1, limit: 10) == .changes([]))
    }

    @Test func callsAboveTheBoundAreRefusedImmediately() async throws {
        let limits = StoreLimits(capacity: 100, inbox: InboxLimits(maximumCount: 10))
        let store = try self.store(limits)
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

    @Test func expiredCallsDoNotStart() async throws {
        let stopwatch = Stopwatch()
        let store = try self.store(StoreLimits(), stopwatch)
        let mayGoOn = store.holdWriter()
        let late = Task { await answer(of: store, to: Toggle(list: .default, characterID: 1)) }
        await store.untilWaiting(1)
        stopwatch.advance(by: .seconds(6))
        let inTime = Task { await answer(of: store, to: Toggle(list: .default, characterID: 2)) }
        await store.untilWaiting(2)
        mayGoOn.signal()
        #expect(await late.value == .failure(.overloaded))
        #expect(await inTime.value == .success(.done(ToggleResult(isFavorite: true, revision: 1))))
        #expect(try await store.ids() == [2])
    }

    @Test func aboveTheLimitTheOldestAnswersLeaveButNeverTheYoung() async throws {
        let stopwatch = Stopwatch()
        let store = try self.store(StoreLimits(answers: 10), stopwatch)
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

    @Test func aToggleWhoseDeadlineHasPassedIsNotBegun() async throws {
        let stopwatch = Stopwatch()
        let store = try self.store(StoreLimits(), stopwatch)
        let mayGoOn = store.holdWriter()
        let late = Task {
            await answer(of: store, to: Toggle(list: .default, characterID: 1), by: stopwatch.start + .seconds(1))
        }
        let inTime = Task {
            await answer(of: store, to: Toggle(list: .default, characterID: 2), by: stopwatch.start + .seconds(3))
        }
        await store.untilWaiting(2)
        stopwatch.advance(by: .seconds(2))
        mayGoOn.signal()
        #expect(await late.value == .failure(.deadlineExceeded))
        #expect(await inTime.value == .success(.done(ToggleResult(isFavorite: true, revision: 1))))
        #expect(try await store.ids() == [2])
    }

    @Test func aToggleWhoseCallerIsCancelledBeforeItBeginsIsNotBegun() async throws {
        let store = try self.store()
        let mayGoOn = store.holdWriter()
        let (cancelled, answered) = AsyncStream<Result<ToggleOutcome, StoreError>>.makeStream()
        let toggle = Toggle(list: .default, characterID: 1)
        let cancel = store.toggle(toggle, character: character(1), deadline: nil) { answered.yield($0) }
        let other = Task { await answer(of: store, to: Toggle(list: .default, characterID: 2)) }
        await store.untilWaiting(2)
        cancel()
        mayGoOn.signal()
        #expect(await cancelled.first { _ in true } == .failure(.cancelled))
        #expect(await other.value == .success(.done(ToggleResult(isFavorite: true, revision: 1))))
        #expect(try await store.ids() == [2])
    }

    @Test func closeFinishesQueuedWork() async throws {
        let store = try SQLiteFavoritesStore.inMemory(capacity: 100)
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
    private func answers(
        of store: SQLiteFavoritesStore,
        to toggles: [Toggle],
        inOrder: Bool = false
    ) async throws -> [Answer] {
        let mayGoOn = store.holdWriter()
        var calls: [Task<Answer, Never>] = []
        for (index, toggle) in toggles.enumerated() {
            calls.append(Task { await answer(of: store, to: toggle) })
            if inOrder { await store.untilWaiting(index + 1) }
        }
        await store.untilWaiting(toggles.count)
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

private func answer(
    of store: SQLiteFavoritesStore,
    to toggle: Toggle,
    by deadline: ContinuousClock.Instant? = nil
) async -> Result<ToggleOutcome, StoreError> {
    do throws(StoreError) {
        let character = character(toggle.characterID)
        return .success(try await store.toggle(toggle, character: character, deadline: deadline).withoutPlace)
    } catch {
        return .failure(error)
    }
}
