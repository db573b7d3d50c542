import MarvelDomain
import Synchronization
import Testing

@testable import FavoritesEngine

/// The engine, step by step, on a back end that does what a test says.
struct FavoritesEngineTests {
    private typealias Answer = Result<FavoritesRequest.Answer, StoreError>

    /// The answers to requests, in the order in which they came.
    private final class Answers: Sendable {
        private let given = Mutex<[(name: String, answer: Answer)]>([])

        func add(_ name: String, _ answer: Answer) { given.withLock { $0.append((name, answer)) } }

        var names: [String] { given.withLock { $0.map(\.name) } }

        subscript(name: String) -> Answer? { given.withLock { $0.first { $0.name == name }?.answer } }
    }

    private static let start = ContinuousClock.now
    private static let time = Timestamp(seconds: 1_700_000_000)
    private static let history = HistoryID(616)

    private let answers = Answers()
    private var engine: FavoritesEngine

    init() { engine = Self.engine() }

    private static func engine(isShared: Bool = true, maximumLists: Int = 100) -> FavoritesEngine {
        var settings = FavoritesEngine.Settings()
        settings.isShared = isShared
        settings.rules = ListRules(capacity: 2, maximumLists: maximumLists, maximumListsPerOwner: 2)
        return FavoritesEngine(settings, history: history, base: 0, listCount: 0)
    }

    private func toggle(
        _ name: String,
        _ id: Int64 = 1,
        _ desired: Toggle.Desired = .toggle,
        on list: String = "a",
        key: String? = nil,
        owner: ListOwner = .nobody,
        arrival: ContinuousClock.Instant = start,
        deadline: ContinuousClock.Instant? = nil
    ) throws -> FavoritesRequest {
        let list = try #require(ListName(list))
        let key = RequestKey(key.flatMap(RequestID.init))
        let toggle = Toggle(list: list, characterID: id, desired: desired, request: key, owner: owner)
        let kind = FavoritesRequest.Kind.toggle(toggle, MarvelCharacter(id: id, name: "C"))
        let reply = FavoritesRequest.Reply.any { [answers] in answers.add(name, $0) }
        return FavoritesRequest(kind, key: key, arrival: arrival, deadline: deadline, reply: reply)
    }

    private func deletion(_ name: String, of list: String = "a") throws -> FavoritesRequest {
        let list = try #require(ListName(list))
        let reply = FavoritesRequest.Reply.any { [answers] in answers.add(name, $0) }
        return FavoritesRequest(.deletion(list), key: nil, arrival: Self.start, reply: reply)
    }

    // MARK: Steps

    private mutating func begin(_ requests: FavoritesRequest...) { engine.begin(requests, at: Self.start) }

    /// Takes the events, and gives the answers.
    private mutating func takeEvents() -> [StoreEvent] {
        let effects = engine.takeEffects()
        effects.answer()
        return effects.events
    }

    /// Answers a read of lists.
    private mutating func read(
        _ lists: [String: KnownList],
        changes: [ListChange] = [],
        owned: [String: Int] = [:]
    ) throws {
        let wanted = try wanted()
        #expect(Set(wanted.lists.map(\.name.text)) == Set(lists.keys))
        #expect(wanted.owners == Set(owned.keys))
        var reading = ListReading(in: engine.history)
        reading.lists = try lists.map { (try #require(ListName($0.key)), .success($0.value)) }
        reading.changes = changes
        reading.ownedCounts = owned
        engine.read(reading)
    }

    private mutating func wanted() throws -> WantedLists {
        guard case .read(let wanted) = engine.next(at: Self.time) else { throw OtherStep() }
        return wanted
    }

    private mutating func group() throws -> ChangeGroup {
        guard case .commit(let group) = engine.next(at: Self.time) else { throw OtherStep() }
        return group
    }

    private struct OtherStep: Error {}

    /// Makes all changes of a group.
    private mutating func apply(_ group: ChangeGroup, repeated: [Int: AnsweredRequest] = [:]) {
        let lists = group.lists.map { list in GroupOutcome.ListResult.applied(Self.changes(of: list)) }
        commit(GroupOutcome(lists: lists, repeated: repeated.mapValues(Result.success), base: 0))
    }

    private mutating func commit(_ outcome: GroupOutcome) { engine.committed(outcome, at: Self.start) }

    private static func changes(of list: ChangeGroup.List) -> [ListChange] {
        list.edits.enumerated().map { number, edit in
            let change = edit.change(at: list.before.revision + Int64(number) + 1) { id in
                Favorite(character: MarvelCharacter(id: id, name: "C"), savedAt: time)
            }
            return ListChange(list.name, change)
        }
    }

    private mutating func expectIdle() {
        guard case .idle = engine.next(at: Self.time) else {
            Issue.record("the next step is not idle")
            return
        }
    }

    private func revision(_ name: String) -> Int64? {
        guard case .success(.toggle(.done(let result))) = answers[name] else { return nil }
        return result.revision
    }

    private static func revisions(_ events: [StoreEvent]) -> [Int64] {
        events.flatMap { event in
            if case .changed(let changes) = event { changes.map(\.revision) } else { [] as [Int64] }
        }
    }

    private static let unknown = KnownList.unknown(base: 0)

    // MARK: Groups

    @Test mutating func requestsOfAGroupSeeTheEffectOfThoseBeforeThem() throws {
        begin(try toggle("1"), try toggle("2", 2), try deletion("3"), try toggle("4", 3), try toggle("5", 1, .removed))
        try read(["a": Self.unknown])
        let group = try group()
        #expect(group.lists.map(\.edits.count) == [4])
        #expect(group.lists.first?.after == KnownList(revision: 4, ids: [3], exists: true))
        #expect(takeEvents() == [], "nothing is told before it is durable")
        apply(group)
        #expect(Self.revisions(takeEvents()) == [1, 2, 3, 4])
        #expect(answers.names == ["1", "2", "3", "4", "5"])
        #expect(["1", "2", "4", "5"].map(revision) == [1, 2, 4, 4])
        expectIdle()
        // The list is known now.
        begin(try toggle("6", 4))
        #expect(try self.group().lists.first?.before.revision == 4)
    }

    @Test mutating func aKeyIsInAGroupOnce() throws {
        begin(
            try toggle("1", key: "k"),
            try toggle("2", key: "k"),
            try toggle("3", 2),
            try toggle("4", 2, on: "b")
        )
        try read(["a": Self.unknown, "b": Self.unknown])
        let first = try group()
        #expect(first.requests.count == 2, "what comes after the repeat on its list waits too")
        apply(first)
        _ = takeEvents()
        #expect(answers.names == ["1", "4", "2"], "the repeat has the answer of the first")
        apply(try group())
        _ = takeEvents()
        #expect(["1", "2", "3"].map(revision) == [1, 1, 2])
    }

    @Test mutating func requestsThatNobodyWaitsForAreNotBegun() throws {
        let cancelled = try toggle("1")
        cancelled.cancel()
        let late = try toggle("2", arrival: Self.start - .seconds(1), deadline: Self.start)
        begin(cancelled, late, try toggle("3", arrival: Self.start - .seconds(6)))
        _ = takeEvents()
        #expect(throws: StoreError.cancelled) { try answers["1"]?.get() }
        #expect(throws: StoreError.deadlineExceeded) { try answers["2"]?.get() }
        #expect(throws: StoreError.overloaded) { try answers["3"]?.get() }
        expectIdle()
    }

    @Test mutating func anUnchangedListNeedsNoBackEndUnlessItIsShared() throws {
        engine = Self.engine(isShared: false)
        begin(try toggle("1", 1, .removed))
        try read(["a": Self.unknown])
        expectIdle()
        _ = takeEvents()
        #expect(revision("1") == 0)
        // It depends on what may still fail.
        begin(try toggle("2"), try toggle("3", 1, .saved))
        let group = try group()
        #expect(group.requests.count == 2)
        engine.failed(.refused(.notWritable("full")), at: Self.start)
        _ = takeEvents()
        #expect(answers.names == ["1", "2", "3"])
        #expect(throws: StoreError.notWritable("full")) { try answers["3"]?.get() }
        engine = Self.engine()
        begin(try toggle("4", 1, .removed))
        try read(["a": Self.unknown])
        #expect(try self.group().lists.map(\.edits.count) == [0], "the list has to be as it was")
    }

    @Test mutating func limitsCountTheListsThatTheGroupMakes() throws {
        engine = Self.engine(isShared: false, maximumLists: 3)
        let anna = ListOwner.named("anna")
        begin(
            try toggle("1", on: "a", owner: anna),
            try toggle("2", on: "b", owner: anna),
            try deletion("3", of: "a"),
            try toggle("4", on: "c", owner: anna),
            try toggle("5", on: "c"),
            try toggle("6", on: "d", owner: anna)
        )
        let lists = Dictionary(uniqueKeysWithValues: ["a", "b", "c", "d"].map { ($0, Self.unknown) })
        try read(lists, owned: ["anna": 0])
        let first = try group()
        #expect(first.lists.map(\.name.text) == ["a", "b"], "a limit is decided on what is durable")
        apply(first)
        try read([:], owned: ["anna": 1])
        let second = try group()
        #expect(second.lists.map(\.name.text) == ["c"])
        apply(second)
        try read([:], owned: ["anna": 2])
        expectIdle()
        _ = takeEvents()
        #expect(throws: StoreError.ownedListLimitReached(maximum: 2)) { try answers["6"]?.get() }
        #expect(["1", "2", "4", "5"].map(revision) == [1, 1, 1, 2])
        #expect(engine.listCount == 2)
        // A list that exists when it is read, and not any more when it is made again.
        begin(try deletion("7", of: "c"), try toggle("8", on: "c", owner: anna))
        try read([:], owned: ["anna": 2])
        apply(try group())
        try read([:], owned: ["anna": 1])
        apply(try group())
        _ = takeEvents()
        #expect(revision("8") == 4)
    }

    @Test mutating func aReachedLimitIsReadAgainInASharedStore() throws {
        engine = Self.engine(maximumLists: 1)
        begin(try toggle("1"), try toggle("2", on: "b"))
        try read(["a": Self.unknown, "b": Self.unknown])
        apply(try group())
        _ = try wanted()
        var reading = ListReading(in: Self.history)
        reading.lists = [(try #require(ListName("b")), .success(Self.unknown))]
        reading.facts = (listCount: 0, base: 0)
        engine.read(reading)
        apply(try group())
        _ = takeEvents()
        #expect(["1", "2"].map(revision) == [1, 1])
    }

    @Test mutating func aRequestThatLosesForTooLongIsRefused() throws {
        begin(try toggle("1"))
        for second in 0...5 {
            try read(["a": KnownList(revision: Int64(second), ids: [], exists: true)])
            _ = try group()
            engine.committed(GroupOutcome(lists: [.conflict], base: 0), at: Self.start + .seconds(second))
        }
        _ = takeEvents()
        #expect(throws: StoreError.overloaded) { try answers["1"]?.get() }
        expectIdle()
    }

    // MARK: Others

    @Test mutating func aLostListIsReadAndDecidedAgain() throws {
        begin(try toggle("1"), try toggle("2", on: "b"))
        try read(["a": Self.unknown, "b": Self.unknown])
        let first = try group()
        commit(GroupOutcome(lists: [.conflict, .applied(Self.changes(of: first.lists[1]))], base: 0))
        #expect(Self.revisions(takeEvents()) == [1])
        #expect(answers.names == ["2"])
        try read(["a": KnownList(revision: 7, ids: [1], exists: true)])
        let second = try group()
        #expect(second.lists.map(\.after) == [KnownList(revision: 8, ids: [], exists: true)])
        apply(second)
        #expect(Self.revisions(takeEvents()).last == 8)
        #expect(revision("1") == 8)
    }

    @Test mutating func changesOfOthersArePublishedOnceAndInOrder() throws {
        begin(try toggle("1"))
        try read(["a": Self.unknown])
        apply(try group())
        #expect(Self.revisions(takeEvents()) == [1])
        let list = try #require(ListName("a"))
        let made = (1...4 as ClosedRange<Int64>).map { ListChange(list, FavoritesChange(revision: $0)) }
        engine.received(Array(made[...1]))
        engine.received(Array(made[...2]))
        #expect(Self.revisions(takeEvents()) == [2, 3])
        #expect(engine.publishedRevision(of: list) == 3)
        // A gap: the list has to be read before it is decided on.
        engine.received([ListChange(list, revision: 6)])
        #expect(Self.revisions(takeEvents()) == [6])
        begin(try toggle("2", 2))
        try read(["a": KnownList(revision: 9, ids: [1], exists: true)], changes: [ListChange(list, revision: 7)])
        #expect(Self.revisions(takeEvents()) == [7, 9])
        apply(try group())
        #expect(Self.revisions(takeEvents()) == [10])
    }

    @Test mutating func anOwnChangeThatTheFeedBroughtFirstIsNotPublishedAgain() throws {
        begin(try toggle("1"))
        try read(["a": KnownList(revision: 4, ids: [], exists: true)])
        let group = try group()
        let changes = Self.changes(of: group.lists[0])
        engine.received(changes + [ListChange(group.lists[0].name, FavoritesChange(revision: 6))])
        #expect(Self.revisions(takeEvents()) == [5, 6])
        apply(group)
        #expect(takeEvents() == [])
        #expect(revision("1") == 5)
        begin(try toggle("2", 2))
        #expect(try self.group().lists.first?.before.revision == 6)
    }

    // MARK: Doubt

    @Test mutating func aGroupInDoubtIsDecidedAgainAndAnsweredOnce() throws {
        begin(try toggle("1", key: "k"))
        try read(["a": Self.unknown])
        let first = try group()
        engine.failed(.inDoubt("lost"), at: Self.start)
        let made = Self.changes(of: first.lists[0])
        try read(
            ["a": KnownList(revision: 1, ids: [1], exists: true)],
            changes: [made[0]]
        )
        #expect(Self.revisions(takeEvents()) == [1])
        _ = try group()
        let kept = try #require(first.requests[0].answered(in: first.history, by: made))
        commit(GroupOutcome(lists: [.skipped], repeated: [0: .success(kept)], base: 0))
        #expect(takeEvents() == [])
        #expect(revision("1") == 1)
        expectIdle()
    }

    @Test mutating func anAnswerOfAnotherServerFollowsItsChange() throws {
        begin(try toggle("1", key: "k"))
        try read(["a": KnownList(revision: 4, ids: [], exists: true)])
        let group = try group()
        let kept = try #require(group.requests[0].answered(in: group.history, by: Self.changes(of: group.lists[0])))
        commit(GroupOutcome(lists: [.skipped], repeated: [0: .success(kept)], base: 0))
        #expect(takeEvents() == [])
        #expect(answers.names == [])
        try read(
            ["a": KnownList(revision: 5, ids: [1], exists: true)],
            changes: Self.changes(of: group.lists[0])
        )
        expectIdle()
        #expect(Self.revisions(takeEvents()) == [5])
        #expect(revision("1") == 5)
    }

    @Test mutating func aRequestInDoubtExpiresWithAnUnknownOutcome() throws {
        begin(try toggle("sent", key: "k"), try toggle("without a key", on: "c"))
        try read(["a": Self.unknown, "c": Self.unknown])
        _ = try group()
        engine.failed(.inDoubt("lost"), at: Self.start)
        _ = takeEvents()
        #expect(throws: StoreError.outcomeUnknown("lost")) { try answers["without a key"]?.get() }
        begin(try toggle("waiting", on: "b"))
        engine.failed(.unreachable("gone"), at: Self.start + .seconds(3))
        _ = takeEvents()
        #expect(answers.names == ["without a key", "waiting"])
        #expect(throws: StoreError.unavailable("gone")) { try answers["waiting"]?.get() }
        engine.failed(.unreachable("gone"), at: Self.start + .seconds(11))
        _ = takeEvents()
        #expect(throws: StoreError.outcomeUnknown("gone")) { try answers["sent"]?.get() }
        expectIdle()
    }

    @Test mutating func aRefusedRequestInDoubtHasAnUnknownOutcome() throws {
        begin(try toggle("1", key: "k"))
        try read(["a": Self.unknown])
        _ = try group()
        engine.failed(.inDoubt("lost"), at: Self.start)
        try read(["a": Self.unknown])
        _ = try group()
        engine.failed(.refused(.notWritable("full")), at: Self.start)
        _ = takeEvents()
        guard case .failure(.outcomeUnknown) = answers["1"] else {
            Issue.record("\(String(describing: answers["1"]))")
            return
        }
    }

    @Test mutating func anUnreadableListIsRefusedAndReadAgain() throws {
        begin(try toggle("1"), try toggle("2", on: "b"))
        _ = try wanted()
        var reading = ListReading(in: Self.history)
        let damaged = StoreError.damaged(try #require(ListName("a")))
        reading.lists = [
            (try #require(ListName("a")), .failure(damaged)), (try #require(ListName("b")), .success(Self.unknown)),
        ]
        engine.read(reading)
        commit(GroupOutcome(lists: [.refused(.damaged(try group().lists[0].name))], base: 0))
        #expect(takeEvents() == [])
        #expect(throws: damaged) { try answers["1"]?.get() }
        #expect(throws: StoreError.self) { try answers["2"]?.get() }
        begin(try toggle("3"), try toggle("4", on: "b"))
        try read(["a": Self.unknown, "b": Self.unknown])
        apply(try group())
        _ = takeEvents()
        #expect(["3", "4"].map(revision) == [1, 1])
    }

    @Test mutating func aListIsReplacedAsAWhole() throws {
        let favorites = (1...3 as ClosedRange<Int64>).map {
            Favorite(character: MarvelCharacter(id: $0, name: "C"), savedAt: Self.time)
        }
        let name = try #require(ListName("a"))
        begin(
            FavoritesRequest(
                .replacement(name, favorites, .named("anna")),
                key: nil,
                arrival: Self.start,
                reply: .any { [answers] in answers.add("1", $0) }
            )
        )
        try read(["a": KnownList(revision: 4, ids: [9], exists: true, owner: "berta")])
        let group = try group()
        #expect(group.lists.first?.edits.map(\.isDeletion) == [true, false, false, false])
        #expect(group.lists.first?.after == KnownList(revision: 8, ids: [1, 2, 3], exists: true, owner: "anna"))
        apply(group)
        #expect(Self.revisions(takeEvents()) == [4, 5, 6, 7, 8])
        guard case .success(.replaced) = answers["1"] else {
            Issue.record("it is not answered")
            return
        }
    }

    @Test mutating func lostEventsMakeEveryListUnknown() throws {
        begin(try toggle("1"))
        try read(["a": Self.unknown])
        apply(try group())
        _ = takeEvents()
        engine.lost()
        #expect(takeEvents() == [.lost])
        begin(try toggle("2", 2))
        try read(["a": KnownList(revision: 5, ids: [], exists: true)])
        apply(try group())
        #expect(Self.revisions(takeEvents()) == [5, 6], "nobody knows up to where it was published")
    }

    @Test mutating func anotherHistoryMakesEveryListUnknown() throws {
        begin(try toggle("1"))
        try read(["a": KnownList(revision: 4, ids: [], exists: true)])
        _ = try group()
        engine.renewed(HistoryID(617), base: 1 << 32)
        engine.failed(.unreachable("another history"), at: Self.start)
        #expect(takeEvents() == [.renewed(HistoryID(617))])
        var old = ListReading(in: Self.history)
        old.lists = [(try #require(ListName("a")), .success(KnownList(revision: 4, exists: true)))]
        engine.read(old)
        try read(["a": .unknown(base: 1 << 32)])
        apply(try group())
        _ = takeEvents()
        #expect(revision("1") == 0x1_0000_0001)
    }

    @Test mutating func anUnknownNameBeginsAtTheCurrentBase() throws {
        engine = Self.engine(isShared: false)
        begin(try toggle("1", 1, .removed, on: "b"), try toggle("2"))
        try read(["a": Self.unknown, "b": Self.unknown])
        let group = try group()
        commit(
            GroupOutcome(lists: [.applied(Self.changes(of: group.lists[0]))], base: 9, dropped: [group.lists[0].name])
        )
        _ = takeEvents()
        begin(try toggle("3", on: "b"))
        #expect(try self.group().lists.first?.before == .unknown(base: 9))
    }
}

extension FavoritesEngineTests {
    /// Requests of more lists than the cache holds are decided in parts. Without that each read would push out what the one
    /// before has brought, for ever.
    @Test mutating func aFullCacheDelaysNoRequestForever() throws {
        var settings = FavoritesEngine.Settings()
        settings.isShared = true
        settings.rules = ListRules(capacity: 100, maximumLists: 1_000)
        settings.maximumCacheBytes = 100_000
        engine = FavoritesEngine(settings, history: Self.history, base: 0, listCount: 0)
        let favorites = (1...20).map { (id: Int64) in
            let description = String(repeating: "x", count: 1_000)
            return Favorite(character: MarvelCharacter(id: id, name: "C", description: description), savedAt: Self.time)
        }
        let list = KnownList(revision: 20, ids: Array(1...20), favorites: favorites, exists: true)
        for number in 0..<100 { begin(try toggle("\(number)", 21, on: "list-\(number)", key: "\(number)")) }
        var stepCount = 0
        steps: while stepCount < 100 {
            stepCount += 1
            switch engine.next(at: Self.time) {
            case .idle: break steps
            case .read(let wanted):
                #expect(wanted.lists.count <= 41)
                var reading = ListReading(in: Self.history)
                reading.lists = wanted.lists.map { ($0.name, .success(list)) }
                engine.read(reading)
            case .commit(let group): apply(group)
            }
        }
        _ = takeEvents()
        #expect(Set(answers.names).count == 100)
    }

    @Test mutating func aRejectedGroupIsDecidedOneByOne() throws {
        begin(try toggle("1", key: "1"), try toggle("2", on: "b", key: "2"), try toggle("3", on: "b", key: "3"))
        try read(["a": Self.unknown, "b": Self.unknown])
        #expect(try group().requests.count == 3)
        engine.failed(.rejected(.notWritable("a fault")), at: Self.start)
        #expect(try group().lists.map(\.name.text) == ["a"])
        engine.failed(.rejected(.notWritable("a fault")), at: Self.start)
        begin(try toggle("4", on: "b", key: "4"))
        for _ in 0..<2 {
            let group = try group()
            #expect(group.requests.count == 1)
            apply(group)
        }
        apply(try group())
        _ = takeEvents()
        #expect(answers.names == ["1", "2", "3", "4"])
        #expect((2...4).map { revision("\($0)") } == [1, 2, 3])
        guard case .failure(.notWritable) = answers["1"] else {
            Issue.record("it caused the fault")
            return
        }
    }

    /// Its list is held meanwhile, so the next group has nothing else.
    @Test mutating func aRequestThatLosesRepeatedlyGetsAHeldList() throws {
        begin(try toggle("1", key: "1"), try toggle("2", on: "b", key: "2"))
        for loss in 0..<3 {
            try read(
                ["a": KnownList(revision: Int64(loss), exists: true)].merging(loss == 0 ? ["b": Self.unknown] : [:]) {
                    $1
                }
            )
            let group = try group()
            let results = group.lists.map { list in
                list.name.text == "a" ? .conflict : GroupOutcome.ListResult.applied(Self.changes(of: list))
            }
            commit(GroupOutcome(lists: results, base: 0))
        }
        begin(try toggle("3", on: "b", key: "3"))
        let wanted = try wanted()
        #expect(wanted.isContended && wanted.lists.map(\.name.text) == ["a"])
        var reading = ListReading(in: Self.history)
        reading.lists = [(wanted.lists[0].name, .success(KnownList(revision: 9, exists: true)))]
        engine.read(reading)
        let held = try group()
        #expect(held.lists.map(\.name.text) == ["a"])
        apply(held)
        apply(try group())
        _ = takeEvents()
        #expect(answers.names == ["2", "1", "3"])
    }

    /// Lets the requests of list a lose three times.
    private mutating func lose() throws {
        for revision: Int64 in 1...3 {
            // A list of which nothing is known may have to be made.
            let owned = revision == 1 ? ["o": 1] : [:]
            try read(["a": KnownList(revision: revision, exists: true)], owned: owned)
            let group = try group()
            commit(GroupOutcome(lists: group.lists.map { _ in .conflict }, base: 0))
        }
    }

    /// Others have deleted the list, so a request makes it again, which its owner has to have room for. All is read at once.
    @Test mutating func aHeldListMayHaveToBeMadeAgain() throws {
        begin(try toggle("1", key: "1", owner: .named("o")))
        try lose()
        let gone = KnownList(revision: 9, exists: false)
        try read(["a": gone], owned: ["o": 1])
        let group = try group()
        #expect(group.isHeld && group.lists.map(\.after.owner) == ["o"])
        apply(group)
        _ = takeEvents()
        #expect(revision("1") == 10)
    }

    /// The back end refuses the group, so the engine holds the lists no longer. It keeps its knowledge of them.
    @Test mutating func aHeldGroupThatFailsIsDecidedAgain() throws {
        begin(try toggle("1", key: "1", owner: .named("o")))
        try lose()
        try read(["a": KnownList(revision: 9, exists: false)], owned: ["o": 1])
        _ = try group()
        engine.failed(.unreachable("a deadlock"), at: Self.start)
        try read([:], owned: ["o": 1])
        let group = try group()
        #expect(!group.isHeld)
        apply(group)
        _ = takeEvents()
        #expect(revision("1") == 10)
    }

    @Test mutating func anUnknownNameIsNotHeld() throws {
        begin(try toggle("1", key: "1"))
        for _ in 0..<4 {
            let wanted = try wanted()
            #expect(!wanted.isContended)
            var reading = ListReading(in: Self.history)
            reading.lists = [(wanted.lists[0].name, .success(Self.unknown))]
            engine.read(reading)
            commit(GroupOutcome(lists: try group().lists.map { _ in .conflict }, base: 0))
        }
    }

    /// No request causes it, so not each of them is tried.
    @Test mutating func manyRejectionsInARowRejectTheGroup() throws {
        for number in 0..<20 { begin(try toggle("\(number)", on: "list-\(number)", key: "\(number)")) }
        try read(Dictionary(uniqueKeysWithValues: (0..<20).map { ("list-\($0)", Self.unknown) }))
        var count = 0
        while case .commit = engine.next(at: Self.time) {
            count += 1
            engine.failed(.rejected(.notWritable("a fault")), at: Self.start)
        }
        _ = takeEvents()
        #expect(count == 5 && answers.names.count == 20)
    }

    /// It is of a question, and so of no group.
    @Test mutating func aRejectedReadRefusesAllBegunRequests() throws {
        begin(try toggle("1", key: "1"), try toggle("2", on: "b", key: "2"))
        _ = engine.next(at: Self.time)
        engine.failed(.rejected(.notWritable("a fault")), at: Self.start)
        expectIdle()
        _ = takeEvents()
        #expect(answers.names == ["1", "2"])
    }
}
