import Catalog
import MarvelDomain
import NIOCore
import NIOEmbedded
import RPCCore
import StoreContract
import Synchronization
import Testing
import WireMessages

@testable import MarvelService

@Suite struct WatchFavoritesTests {
    private let store = MemoryFavoritesStore(capacity: 3, history: HistoryID(616))
    private let service: CharacterService

    init() { service = CharacterService(catalog: TestCatalog.builtIn, store: store) }

    /// Returns a watcher's first answer, if it is an error.
    private func refusal(from revision: Int64) async throws -> RPCError? {
        do {
            _ = try await TestWatcher(service, from: revision).next()
            return nil
        } catch let error as RPCError {
            return error
        }
    }

    private func place(_ revision: Int64, history: Int64 = 616, list: ListName = .default) -> String {
        FavoritesPlace(list: list, history: HistoryID(history), revision: revision).text
    }

    // MARK: From the beginning

    @Test func aSnapshotComesFirstAndThenEveryChange() async throws {
        try await store.toggle(1...2)
        let watcher = try TestWatcher(service)
        let first = try await watcher.next()
        #expect(first?.event?.snapshot?.favorites.map(\.character.id) == [1, 2])
        #expect(first?.event?.snapshot?.revision == 2)
        #expect(first?.event?.snapshot?.capacity == 3)
        #expect(first?.attribution == TestCatalog.builtIn.attribution)
        #expect(first?.place == place(2))
        #expect(try await watcher.next() == nil)
        try await store.toggle([3])
        let change = try await watcher.next()
        #expect(change?.event?.change?.revision == 3)
        #expect(change?.event?.change?.saved?.character.name == "Character 3")
        #expect(change?.attribution == TestCatalog.builtIn.attribution)
        #expect(change?.place == place(3))
        try await store.toggle([3])
        #expect(try await watcher.next()?.event?.change?.removed?.character.id == 3)
        try await store.toggle([3], on: #require(ListName("other")))
        #expect(try await watcher.next() == nil, "changes of other lists are not seen")
    }

    @Test func aChangeIsEncodedOnceForAllWatchers() async throws {
        let watchers = try (0..<3).map { _ in try TestWatcher(service) }
        for watcher in watchers { _ = try await watcher.all() }
        try await store.toggle([1])
        for watcher in watchers {
            _ = try await watcher.next()
            #expect(watcher.lastMessage === watchers[0].lastMessage)
        }
        let late = try (0..<2).map { _ in try TestWatcher(service) }
        for watcher in late { #expect(try await watcher.next()?.event?.snapshot?.revision == 1) }
        #expect(late[0].lastMessage === late[1].lastMessage)
    }

    // MARK: Resuming

    /// The store has all, and gives them in batches; a second time, to a server that has some of them in memory.
    @Test(arguments: [1, 15, 16, 17, 31, 32, 33, 39, 40] as [Int64], [false, true])
    func aWatcherResumesFromEveryRevision(_ revision: Int64, _ isWatched: Bool) async throws {
        let other = isWatched ? try TestWatcher(service) : nil
        _ = try await other?.all()
        try await store.toggle((1...40).map { $0 % 7 + 1 })
        let watchers = [
            try TestWatcher(service, from: revision), try TestWatcher(service, place: place(revision)),
        ]
        for watcher in watchers {
            let revisions = try await watcher.all().map { try #require($0.change).revision }
            #expect(revisions == Array((revision...40).dropFirst()))
        }
        #expect(store.changeLimits.allSatisfy { $0 <= 16 })
        #expect(!isWatched || store.changeLimits.isEmpty, "changes in memory are not read again")
        try await store.toggle([9])
        for watcher in watchers { #expect(try await watcher.all().map(\.revision) == [41]) }
        withExtendedLifetime(other) {}
    }

    @Test func aCompactedRevisionIsRefusedWithTheOldestAvailable() async throws {
        try await store.toggle(1...6)
        store.compact(.default, upTo: 4)
        let error = try await refusal(from: 3)
        #expect(error?.code == .outOfRange)
        #expect(error?.reason == .revisionCompacted)
        #expect(error?.info?.metadata["oldest"] == "4")
        #expect(error?.info?.metadata["place"] == place(4))
        let revisions = try await TestWatcher(service, from: 4).all().map(\.revision)
        #expect(revisions == [5, 6])
    }

    @Test(arguments: [6, Int64.max])
    func aRevisionInTheFutureIsRefused(_ revision: Int64) async throws {
        try await store.toggle(1...5)
        // Whether the list is in memory makes no difference.
        for _ in 0..<2 {
            let error = try await refusal(from: revision)
            #expect(error?.code == .invalidArgument)
            #expect(error?.reason == .revisionAhead)
            #expect(error?.violatedField == "from_revision")
            #expect(error?.info?.metadata["current"] == "5")
            #expect(error?.info?.metadata["place"] == place(5))
        }
    }

    // MARK: Without the store

    /// A watch that moves here from another server, while neither reaches the database.
    @Test(arguments: [(0, true), (3, true), (3, false)] as [(Int64, Bool)])
    func anUpToDateReaderContinuesWithoutTheStore(_ revision: Int64, _ hasPlace: Bool) async throws {
        try await store.toggle((1...3).prefix(Int(revision)))
        store.tellSentRevisions()
        store.fail(with: .unavailable("no primary"))
        let watcher =
            try hasPlace ? TestWatcher(service, place: place(revision)) : TestWatcher(service, from: revision)
        #expect(try await watcher.all().isEmpty)
        store.fail(with: nil)
        try await store.toggle([4])
        #expect(try await watcher.all().map(\.revision) == [revision + 1])
        #expect(store.changeLimits.isEmpty && store.snapshotCount == 0)
    }

    /// Only the store has the changes between, and knows whether a revision above is of this history.
    @Test(arguments: [2, 4] as [Int64])
    func aReaderAtAnotherRevisionThanTheFeedWaitsForTheStore(_ revision: Int64) async throws {
        try await store.toggle(1...3)
        store.tellSentRevisions()
        store.fail(with: .unavailable("no primary"))
        let watcher = try TestWatcher(service, place: place(revision))
        let error = await #expect(throws: RPCError.self) { try await watcher.next() }
        #expect(error?.reason == .storeUnavailable)
    }

    /// The change is on its way when the watch begins: it comes once.
    @Test func aChangeInFlightIsSeenOnce() async throws {
        try await store.toggle(1...3)
        store.tellSentRevisions()
        store.feed(.nothing)
        try await store.toggle([4])
        store.fail(with: .unavailable("no primary"))
        let watcher = try TestWatcher(service, place: place(3))
        #expect(try await watcher.all().isEmpty)
        store.fail(with: nil)
        store.feed(.changes)
        try await store.toggle([5])
        #expect(try await watcher.all().last?.revision == 5)
    }

    // MARK: Places

    /// After a restore, revisions that a watcher has seen mean something else.
    @Test(
        arguments: [
            (3, 617, SnapshotReset.historyChanged), (5, 617, .historyChanged), (6, 616, .historyChanged),
            (.max, 616, .historyChanged), (3, 616, .compacted),
        ] as [(Int64, Int64, SnapshotReset)]
    )
    func anUnavailablePlaceGetsASnapshotWithAReset(
        _ revision: Int64,
        _ history: Int64,
        _ reset: SnapshotReset
    ) async throws {
        try await store.toggle(1...5)
        store.compact(.default, upTo: 4)
        for isWatched in [false, true] {
            let other = isWatched ? try TestWatcher(service) : nil
            _ = try await other?.all()
            let watcher = try TestWatcher(service, place: place(revision, history: history))
            let first = try #require(try await watcher.next())
            #expect(first.event?.snapshot?.revision == 5)
            #expect(first.event?.reset == reset)
            #expect(first.place == place(5))
            #expect(try await watcher.next() == nil)
            withExtendedLifetime(other) {}
        }
    }

    /// The log lost changes, or one of them was found damaged, after the first batch was read.
    @Test func aGapInAResumedWatchIsASnapshotWithAReset() async throws {
        for _ in 1...10 { try await store.toggle(1...4) }
        let watcher = try TestWatcher(service, place: place(1))
        for revision in 2...Int64(FavoritesWatcher.batch + 1) {
            let next = try await watcher.next()
            #expect(next?.event?.change?.revision == revision)
        }
        store.compact(.default, upTo: 30)
        let snapshot = try await watcher.next()
        #expect(snapshot?.event?.snapshot?.revision == 40)
        #expect(snapshot?.event?.reset == .compacted)
        #expect(snapshot?.place == place(40))
    }

    @Test func anInvalidPlaceOrOneOfAnotherListIsRefused() async throws {
        let good = place(3)
        let places = [
            "x", good + "A", String(good.dropLast()), "?" + good.dropFirst(), "A" + good.dropFirst(),
            place(3, list: try #require(ListName("other"))), place(-1),
        ]
        for text in places where text != good {
            for (method, field, request) in [
                ("WatchFavorites", "place", WatchFavoritesRequest(place: text).encoded()),
                ("ListFavorites", "at_least", ListFavoritesRequest(atLeast: text).encoded()),
                (
                    "SearchCharacters", "favorites_at_least",
                    SearchCharactersRequest(query: "spider", favoritesAtLeast: text).encoded()
                ),
            ] {
                let error = await service.error(method, request)
                #expect(error?.code == .invalidArgument, "\(method) \(text)")
                #expect(error?.reason == .placeInvalid, "\(method) \(text)")
                #expect(error?.violatedField == field, "\(method) \(text)")
            }
        }
    }

    @Test func aReadIsNotOlderThanAPlace() async throws {
        try await store.toggle(1...3)
        let answer = try await service.favorites(atLeast: place(3))
        #expect((answer.revision, answer.place) == (3, place(3)))
        let search = SearchCharactersRequest(query: "spider", maxPages: 1, favoritesAtLeast: place(3))
        #expect(try await service.search(search).count == 1)
        for place in [place(4), place(3, history: 617)] {
            for (method, request) in [
                ("ListFavorites", ListFavoritesRequest(atLeast: place).encoded()),
                ("SearchCharacters", SearchCharactersRequest(query: "spider", favoritesAtLeast: place).encoded()),
            ] {
                let error = await service.error(method, request)
                #expect(error?.code == .failedPrecondition)
                #expect(error?.reason == .historyChanged)
            }
        }
    }

    @Test(arguments: [0, 2] as [Int64])
    func anUnreadableStoreIsUnavailable(_ revision: Int64) async throws {
        store.fail(with: .notReadable("the file is damaged"))
        let error = try await refusal(from: revision)
        #expect(error?.code == .unavailable)
        #expect(error?.reason == .storeUnreadable)
        #expect(service.lists.watchedCount == 0)
    }

    // MARK: Slow watchers, and idle ones

    @Test func aWatcherTooFarBehindGetsASnapshot() async throws {
        let slow = try TestWatcher(service)
        _ = try await slow.all()
        let slower = try TestWatcher(service)
        _ = try await slower.all()
        try await store.toggle((1...256).map { $0 % 7 + 1 })
        #expect(try await slow.all().map(\.revision) == Array(1...256))
        try await store.toggle([1])
        let events = try await slower.all()
        #expect(events.count == 1)
        let stored = try await store.favorites(.default)
        #expect(events.first?.snapshot == stored)
        #expect(events.first?.reset == .compacted)
        try await store.toggle([1])
        #expect(try await slower.all().map(\.revision) == [258])
    }

    /// One watcher waits, one is behind, one resumes and one has not begun: each continues with a snapshot that says
    /// why, and then with the changes of the new history.
    @Test func watchersAreNotifiedOfANewHistory() async throws {
        try await store.toggle(1...3)
        let waiting = try TestWatcher(service)
        #expect(try await waiting.all().count == 1)
        let (behind, resuming) = (try TestWatcher(service), try TestWatcher(service, from: 2))
        _ = try await (behind.next(), resuming.next())
        let new = try TestWatcher(service)
        let checkpoint = store.checkpoint
        try await store.toggle([4])
        store.goBack(to: checkpoint, beginning: HistoryID(617))
        let base: Int64 = 1 << 32
        for watcher in [waiting, behind, resuming] {
            let first = try await watcher.next()
            #expect(first?.event?.reset == .historyChanged)
            #expect(first?.event?.snapshot?.favorites.map(\.character.id) == [1, 2, 3])
            #expect(first?.place == place(base, history: 617))
            #expect(try await watcher.next() == nil)
        }
        #expect(try await new.next()?.event?.snapshot?.revision == base)
        try await store.toggle([5])
        for watcher in [waiting, behind, resuming, new] {
            let change = try await watcher.next()
            #expect(change?.event?.change?.revision == base + 1)
            #expect(change?.place == place(base + 1, history: 617))
        }
        #expect(service.lists.watchedCount == 1)
    }

    /// Another server of the same database heard of the new history first, and told the client.
    @Test func aPlaceOfAnUnknownHistoryIsResumed() async throws {
        let checkpoint = store.checkpoint
        try await store.toggle(1...2)
        #expect(service.lists.history == HistoryID(616))
        store.beforeSnapshots { [store] in
            store.beforeSnapshots(nil)
            store.goBack(to: checkpoint, beginning: HistoryID(617))
        }
        let base: Int64 = 1 << 32
        let watcher = try TestWatcher(service, place: place(base, history: 617))
        #expect(try await watcher.next() == nil, "it has everything")
        try await store.toggle([3])
        #expect(try await watcher.next()?.event?.change?.revision == base + 1)
    }

    @Test func progressIsSentWhileNothingHappens() async throws {
        try await store.toggle(1...2)
        let watcher = try TestWatcher(service, from: 2)
        #expect(try await watcher.next() == nil)
        for _ in 0..<2 {
            #expect(try #require(watcher.cursor).timeout == .seconds(30))
            watcher.timeOut()
            let progress = try await watcher.next()
            let place = FavoritesPlace(list: .default, history: store.history, revision: 2).text
            #expect(progress == WatchFavoritesResponse(.progress(revision: 2), place: place))
        }
        try await store.toggle([3])
        #expect(try await watcher.next()?.event?.change?.revision == 3)
    }

    @Test func aChangeWakesEveryConnectionOnItsEventLoop() async throws {
        let loops = [NIOAsyncTestingEventLoop(), NIOAsyncTestingEventLoop()]
        let woken = Mutex<[Int]>([0, 0])
        var watchers: [TestWatcher] = []
        var ends: [@Sendable () -> Void] = []
        for number in 0..<6 {
            let (watcher, loop) = (try TestWatcher(service), loops[number % 2])
            _ = try await watcher.all()
            let log = try #require(watcher.cursor).log
            let waker = Waker(on: loop) {
                #expect(loop.inEventLoop)
                woken.withLock { $0[number % 2] += 1 }
            }
            ends.append(try await loop.executeInContext { log.listen(waker) })
            watchers.append(watcher)
        }
        // The last change comes when they do not wait any more.
        for (id, counts) in [(1, [3, 3]), (2, [6, 6]), (3, [6, 6])] as [(Int64, [Int])] {
            if id == 3 { for end in ends { end() } }
            try await store.toggle([id])
            service.lists.catchUp()
            for loop in loops { await loop.run() }
            #expect(woken.withLock { $0 } == counts)
        }
        for loop in loops { await loop.shutdownGracefully() }
    }

    /// Errors that end a stream name `from_revision`, and `place` with it.
    @Test(arguments: [0, 2] as [Int64]) func aWatchHasThePlaceToContinue(_ revision: Int64) throws {
        let request = WatchFavoritesRequest(fromRevision: revision)
        let source = try service.watchFavorites(IncomingCall(payload: request.encoded())).source()
        let place = FavoritesPlace(list: .default, history: store.history, revision: revision).text
        #expect(source.place == (revision == 0 ? [:] : ["from_revision": "\(revision)", "place": place]))
    }

    @Test func anUnwatchedListIsForgotten() async throws {
        var first: TestWatcher? = try TestWatcher(service)
        var second: TestWatcher? = try TestWatcher(service, list: "other", from: 0)
        _ = try await (first?.all(), second?.all())
        let third = try TestWatcher(service)
        #expect(service.lists.watchedCount == 2)
        first = nil
        #expect(service.lists.watchedCount == 2)
        second = nil
        #expect(service.lists.watchedCount == 1)
        withExtendedLifetime(third) {}
    }

    // MARK: The sum

    /// A snapshot equals the sum of the events before it.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func aSnapshotIsTheSumOfTheEvents(_ seed: UInt64) async throws {
        var random = seed
        let watcher = try TestWatcher(service)
        var sum = try #require(try await watcher.next()?.event?.snapshot)
        for _ in 0..<60 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            try await store.toggle([Int64(random >> 33 % 6) + 1])
            for event in try await watcher.all() { sum.apply(try #require(event.change)) }
            let snapshot = try await TestWatcher(service).next()?.event?.snapshot
            #expect(snapshot == sum)
            let stored = try await store.favorites(.default)
            #expect(stored == sum)
        }
    }
}
