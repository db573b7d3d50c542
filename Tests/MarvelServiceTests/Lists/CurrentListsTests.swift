import MarvelDomain
import RPCCore
import StoreContract
import Synchronization
import Testing

@testable import MarvelService

/// The lists in memory follow a store.
@Suite(.timeLimit(.minutes(10)))
struct CurrentListsTests {
    private let store = MemoryFavoritesStore(capacity: 3, history: HistoryID(616))

    /// Follows the store. Work in the background never runs: whoever asks sees every change all the same.
    private func lists(maximumBytes: Int = CurrentLists.defaultMaximumBytes) -> CurrentLists {
        CurrentLists(
            store,
            attribution: { "Data" },
            maximumBytes: maximumBytes,
            runtime: .system,
            background: { _ in }
        )
    }

    // MARK: Acknowledged changes

    @Test(arguments: [.changes, .revisions] as [MemoryFavoritesStore.Feeding])
    func anAcknowledgedChangeIsSeenByTheNextCall(_ feeding: MemoryFavoritesStore.Feeding) async throws {
        store.feed(feeding)
        let lists = lists()
        try await lists.load()
        for id: Int64 in 1...8 {
            try await store.toggle([id])
            let stored = try await store.favorites(.default)
            #expect(await lists.loadedIDs(of: .default) == stored.favorites.map(\.character.id))
            let current = try await lists.favorites(.default)
            #expect(current.list == stored)
            #expect(lists.knownFavorites(.default)?.revision == id)
        }
        _ = try await store.delete(.default)
        #expect(await lists.loadedIDs(of: .default) == [])
        #expect(try await lists.favorites(.default).revision == 9)
    }

    /// A list that is asked for is read once; its changes are applied to it.
    @Test func aListIsReadOnce() async throws {
        let lists = lists()
        try await store.toggle(1...2)
        #expect(lists.knownFavorites(.default) == nil)
        _ = try await lists.favorites(.default)
        for id: Int64 in 3...9 {
            try await store.toggle([id])
            let known = try #require(lists.knownFavorites(.default))
            #expect(known.list == (try await store.favorites(.default)))
            #expect(lists.knownFavorites(.default) === known, "it is encoded once")
        }
        // One for the list, and one for each comparison.
        #expect(store.snapshotCount == 8)
    }

    @Test func anAnswerIsEncodedAgainWhenItsAttributionChanges() async throws {
        let attribution = Mutex("first")
        let lists = CurrentLists(
            store,
            attribution: { attribution.withLock { $0 } },
            runtime: .system,
            background: { _ in }
        )
        _ = try await lists.favorites(.default)
        attribution.withLock { $0 = "second" }
        #expect(lists.knownFavorites(.default)?.attribution == "second")
        #expect(store.snapshotCount == 1)
    }

    @Test func searchesKnowAllListsAfterTheyWereRead() async throws {
        let names = try (0..<2_500).map { try #require(ListName("list-\($0)")) }
        for name in names { try await store.toggle([7], on: name) }
        let lists = lists()
        #expect(lists.ids(of: names[0]) == nil)
        try await lists.load()
        #expect(names.allSatisfy { lists.ids(of: $0) == [7] })
        #expect(lists.ids(of: .default) == [])
        #expect(store.snapshotCount == 0)
    }

    // MARK: Reads that are shared

    /// Waits until so many callers wait for a read.
    private func untilWaiting(_ count: Int, for lists: CurrentLists) async {
        while lists.loads.waitingCount != count { await Task.yield() }
    }

    /// A read that began before a change was answered does not answer a call that came after it.
    @Test func aStaleReadIsNotUsed() async throws {
        store.feed(.revisions)
        let lists = lists()
        let gate = Gate()
        store.beforeSnapshots { await gate.pass() }
        async let early = lists.favorites(.default)
        await gate.untilWaiting(1)
        try await store.toggle([1])
        async let late = lists.favorites(.default)
        await untilWaiting(2, for: lists)
        gate.open()
        #expect(try await late.revision == 1)
        #expect(try await early.revision <= 1)
        #expect(lists.knownFavorites(.default)?.revision == 1)
    }

    @Test func aPlaceIsReachedByReading() async throws {
        let lists = lists()
        store.feed(.nothing)
        try await store.toggle(1...2)
        try await lists.wait(for: .init(history: store.history, revision: 2), of: .default)
        await #expect(throws: RPCError.historyChanged()) {
            try await lists.wait(for: .init(history: store.history, revision: 3), of: .default)
        }
        #expect(lists.ids(of: .default) == [1, 2])
    }

    /// A read may find a change before its event arrives. From then on, every reader sees the change.
    @Test func aReadAheadOfTheFeedIsSeenByAll() async throws {
        let lists = lists()
        try await lists.load()
        store.feed(.nothing)
        var known = CurrentLists.KnownIDs(of: .default)
        #expect(lists.ids(&known) == [])
        let countBefore = lists.changeCount
        try await store.toggle([1])
        #expect(try await lists.favorites(.default, atLeast: Int64(1)).revision == 1)
        #expect(lists.changeCount != countBefore)
        #expect(lists.ids(&known) == [1])
    }

    /// So may the reading of all lists.
    @Test func allListsReadAheadOfTheFeedAreSeenByAll() async throws {
        let lists = lists()
        _ = try await lists.favorites(.default)
        store.feed(.nothing)
        var known = CurrentLists.KnownIDs(of: .default)
        #expect(lists.ids(&known) == [])
        try await store.toggle([1])
        try await lists.load()
        #expect(lists.ids(&known) == [1])
    }

    // MARK: Lost events

    @Test func afterALossEverythingIsReadAgain() async throws {
        let other = try #require(ListName("other"))
        try await store.toggle([1])
        try await store.toggle([1], on: other)
        let work = BackgroundWork()
        let lists = CurrentLists(store, attribution: { "" }, runtime: .system, background: work.run)
        try await lists.load()
        _ = try await lists.favorites(.default)
        store.feed(.nothing)
        try await store.toggle([2])
        _ = try await store.delete(other)
        #expect(lists.ids(of: .default) == [1], "nobody can know yet")
        store.feed(.changes)
        #expect(lists.ids(of: .default) == nil)
        #expect(lists.knownFavorites(.default) == nil)
        #expect(await lists.loadedIDs(of: other) == [], "one list alone, before all were read")
        await work.finish()
        #expect(lists.ids(of: .default) == [1, 2])
        #expect(lists.ids(of: other) == [])
    }

    /// A watcher that waits asks for nothing: without another attempt it would never hear of the change.
    @Test func listsAreReadAgainUntilTheStoreCanBeRead() async throws {
        let work = BackgroundWork()
        let waits = Mutex<[Duration]>([])
        let runtime = ProcessRuntime(
            now: ProcessRuntime.system.now,
            instant: ProcessRuntime.system.instant,
            sleep: { [store] wait in
                let count = waits.withLock { waits in
                    waits.append(wait)
                    return waits.count
                }
                if count == 3 { store.fail(with: nil) }
            },
            begin: { work in
                let task = Task { await work() }
                return StartedTask { task.cancel() }
            }
        )
        let lists = CurrentLists(store, attribution: { "" }, runtime: runtime, background: work.run)
        try await lists.load()
        let watched = lists.watch(.default)
        store.feed(.nothing)
        try await store.toggle([1])
        store.fail(with: .notReadable("it is gone"))
        store.feed(.changes)
        lists.catchUp()
        await work.finish()
        #expect(waits.withLock(\.self) == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
        #expect(lists.ids(of: .default) == [1])
        guard case .missed = watched.following(0) else {
            Issue.record("a watcher is not told that it missed a change")
            return
        }
    }

    /// A damaged list keeps no other list from being known.
    @Test func aDamagedWatchedListStopsNoRead() async throws {
        let lists = lists()
        try await store.toggle([1])
        let damaged = try #require(ListName("damaged"))
        let watched = lists.watch(damaged)
        // The other list is read with all lists, this one alone.
        store.beforeSnapshots { () async throws(StoreError) in throw .damaged(damaged) }
        try await lists.load()
        #expect(lists.ids(of: .default) == [1])
        await #expect(throws: StoreError.damaged(damaged)) { try await lists.favorites(damaged) }
        withExtendedLifetime(watched) {}
    }

    @Test func aFullBacklogCountsAsLostEvents() async throws {
        let lists = lists()
        try await lists.load()
        for _ in 0..<1_030 { store.feed.send(.changed([ListChange(.default, revision: 1)])) }
        #expect(lists.ids(of: .default) == nil)
    }

    @Test func searchesContinueWithCachedListsWhileTheStoreFails() async throws {
        let lists = lists()
        try await store.toggle([1])
        try await lists.load()
        store.fail(with: .notReadable("it is gone"))
        #expect(lists.ids(of: .default) == [1])
        store.feed.send(.lost)
        #expect(await lists.loadedIDs(of: .default) == [1])
        await #expect(throws: StoreError.notReadable("it is gone")) { try await lists.load() }
        store.fail(with: nil)
        try await lists.load()
        #expect(lists.ids(of: .default) == [1])
    }

    // MARK: Another history

    /// A list that continues below a revision that was known is taken as the new history has it.
    @Test(arguments: [false, true]) func aNewHistoryReplacesAllThatIsKnown(_ isMissed: Bool) async throws {
        let lists = lists()
        try await lists.load()
        try await store.toggle([1])
        let checkpoint = store.checkpoint
        try await store.toggle([2])
        #expect(try await lists.favorites(.default).ids == [1, 2])
        if isMissed {
            // So much is sent before and after that the event of the new history is not among what is kept.
            for _ in 0..<1_030 { store.feed.send(.changed([ListChange(.default, revision: 2)])) }
        }
        store.goBack(to: checkpoint, beginning: HistoryID(617))
        for _ in 0..<(isMissed ? 1_030 : 0) { store.feed.send(.changed([ListChange(.default, revision: 1)])) }
        try await lists.load()
        #expect(lists.history == HistoryID(617))
        #expect(lists.ids(of: .default) == [1])
        let new = try await lists.favorites(.default)
        #expect((new.ids, new.revision, new.history) == ([1], 1 << 32, HistoryID(617)))
        try await store.toggle([3])
        #expect(lists.ids(of: .default) == [1, 3])
    }

    /// Another server of the same database may hear of a new history first.
    @Test func aPlaceOfAnUnknownHistoryIsLookedUpInTheStore() async throws {
        let lists = lists()
        try await lists.load()
        let checkpoint = store.checkpoint
        try await store.toggle([1])
        let place = CurrentLists.LeastPlace(history: HistoryID(617), revision: 1 << 32)
        await #expect(throws: RPCError.historyChanged()) { try await lists.wait(for: place, of: .default) }
        store.beforeSnapshots { [store] in
            store.beforeSnapshots(nil)
            store.goBack(to: checkpoint, beginning: HistoryID(617))
        }
        let favorites = try await lists.favorites(.default, atLeast: place)
        #expect((favorites.ids, favorites.history) == ([], HistoryID(617)))
        try await lists.wait(for: place, of: .default)
    }
}

/// Work in the background that the test runs itself.
private final class BackgroundWork: Sendable {
    private let waiting = Mutex<[@Sendable () async -> Void]>([])

    var run: CurrentLists.Background {
        { [self] work in waiting.withLock { $0.append(work) } }
    }

    /// Runs all work, also what it gives rise to.
    func finish() async {
        while let work = waiting.withLock({ $0.popLast() }) { await work() }
    }
}
