import Catalog
import MarvelAPI
import MarvelDomain
import Testing
import Upstream

/// The next request of a mirror, given the answers so far.
struct MirrorPlanTests {
    private static let start = Timestamp(seconds: 1_790_000_000)
    private static let since = Timestamp(seconds: 1_790_000_000 - MirrorPlan.margin)

    private static func page(_ offset: Int, _ ids: Range<Int64>, of total: Int, unreadable: Int = 0) -> CharacterResults
    {
        CharacterResults(
            characters: ids.map { MarvelCharacter(id: $0, name: "Name") },
            offset: offset,
            receivedCount: ids.count + unreadable,
            total: total,
            attribution: "Data provided by a test",
            etag: nil
        )
    }

    /// A walk over answers: the offset, ids and total of each; then what is asked next.
    struct Walk: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var answers: [(offset: Int, ids: Range<Int64>, total: Int)]
        var next: MirrorPlan.Step
        var difference: Int?
        var shortfall: MirrorPlan.Shortfall?
    }

    private static func ask(_ offset: Int, _ limit: Int = 100, since: Timestamp? = nil) -> MirrorPlan.Step {
        .fetch(MirrorPageRequest(offset: offset, limit: limit, modifiedSince: since))
    }

    static let copies = [
        Walk(testDescription: "nothing was asked", answers: [], next: ask(0)),
        Walk(testDescription: "first page", answers: [(0, 1..<101, 250)], next: ask(95), difference: 150),
        Walk(
            testDescription: "all pages",
            answers: [(0, 1..<101, 250), (95, 96..<196, 250), (190, 191..<251, 250)],
            next: .finish,
            difference: 0
        ),
        Walk(
            testDescription: "an empty gateway",
            answers: [(0, 0..<0, 0)],
            next: .finish,
            difference: 0,
            shortfall: .empty
        ),
        Walk(
            testDescription: "a gateway that claims what it does not send",
            answers: [(0, 0..<0, 1_000), (0, 0..<0, 1_000)],
            next: .finish,
            difference: 1_000,
            shortfall: .empty
        ),
        Walk(testDescription: "short pages", answers: [(0, 1..<21, 40)], next: ask(15), difference: 20),
        Walk(testDescription: "shorter than the overlap", answers: [(0, 1..<4, 40)], next: ask(1), difference: 37),
        Walk(testDescription: "of one entry", answers: [(0, 1..<2, 40)], next: ask(1), difference: 39),
        Walk(
            testDescription: "three were removed before it: the pages still overlap",
            answers: [(0, 1..<101, 250), (95, 99..<199, 247)],
            next: ask(190),
            difference: 49
        ),
        Walk(
            testDescription: "and then it looks again",
            answers: [(0, 1..<101, 250), (95, 99..<199, 247), (190, 194..<251, 247)],
            next: ask(0),
            difference: -3
        ),
        Walk(
            testDescription: "one was removed and one added, and the total is the same",
            answers: [(0, 1..<101, 150), (95, 97..<152, 150)],
            next: ask(0),
            difference: -1
        ),
        Walk(
            testDescription: "more were removed than overlap: the page before is asked for again",
            answers: [(0, 1..<101, 250), (95, 96..<196, 250), (190, 206..<251, 235)],
            next: ask(90),
            difference: -5
        ),
        Walk(
            testDescription: "pages end before the total: it looks again",
            answers: [(0, 1..<101, 200), (95, 96..<101, 200)],
            next: ask(0),
            difference: 100
        ),
        Walk(
            testDescription: "and again they do",
            answers: [(0, 1..<101, 200), (95, 96..<101, 200), (0, 1..<101, 200), (95, 96..<101, 200)],
            next: .finish,
            difference: 100,
            shortfall: .fewer(claimed: 200, held: 100)
        ),
    ]

    /// Gives a plan answers, as the file does: it knows which characters a walk has met, and which are stored.
    private static func answer(_ plan: inout MirrorPlan, _ pages: [CharacterResults]) {
        var (met, stored) = (Set<Int64>(), Set<Int64>())
        for page in pages {
            let (ids, walk) = (page.characters.map(\.id), plan.walk)
            let newIDs = ids.filter { met.insert($0).inserted }
            plan.answered(page, newIDs: newIDs, added: ids.count { stored.insert($0).inserted }, changed: 0)
            if plan.walk != walk { met = [] }
        }
    }

    @Test(arguments: copies)
    func aCopyAsksForEveryPage(_ walk: Walk) {
        var plan = MirrorPlan(copying: "http://gateway.test", startedAt: Self.start)
        Self.answer(&plan, walk.answers.map { Self.page($0.offset, $0.ids, of: $0.total) })
        #expect(plan.next == walk.next)
        #expect(plan.difference == walk.difference)
        #expect(plan.shortfall == walk.shortfall)
        #expect(plan.isSound)
    }

    private static let refresh = MirrorPlan(
        refreshing: "http://gateway.test",
        from: start,
        stored: 300,
        attribution: "older",
        startedAt: Timestamp(seconds: 1_800_000_000)
    )

    @Test func aRefreshAsksForChangesAndThenForTheirNumber() {
        var plan = Self.refresh
        #expect(plan.next == Self.ask(0, since: Self.since))
        plan.answered(Self.page(0, 1..<101, of: 101), newIDs: Array(1...100), added: 2, changed: 90)
        #expect(plan.next == Self.ask(95, since: Self.since))
        plan.answered(Self.page(95, 96..<102, of: 101), newIDs: [101], added: 0, changed: 1)
        #expect(plan.next == Self.ask(0, 1))
        plan.answered(Self.page(0, 1..<2, of: 302), newIDs: [], added: 0, changed: 0)
        #expect(plan.next == .finish)
        #expect([plan.stored, plan.added, plan.changed] == [302, 2, 91])
        #expect(plan.difference == 0)
        #expect(plan.attribution == "Data provided by a test")
    }

    @Test func aRefreshThatLacksSomeWalksOverEverything() {
        var plan = Self.refresh
        plan.answered(Self.page(0, 0..<0, of: 0), newIDs: [], added: 0, changed: 0)
        plan.answered(Self.page(0, 1..<2, of: 301), newIDs: [], added: 0, changed: 0)
        #expect(plan.next == Self.ask(0))
    }

    @Test(arguments: [0, 5, 100] as [Int64], [0, 2])
    func entriesThatAreNoCharactersAreCountedOnce(_ count: Int64, _ more: Int) {
        var plan = MirrorPlan(copying: "http://gateway.test", startedAt: Self.start)
        let total = Int(count) + more
        Self.answer(&plan, [Self.page(0, 1..<count + 1, of: total, unreadable: more)])
        #expect(plan.next == .finish)
        #expect(plan.unreadable == more)
        #expect(plan.difference == 0)
    }

    @Test func aTotalThatJumpsAboutDoesNotKeepItForEver() {
        var plan = MirrorPlan(copying: "http://gateway.test", startedAt: Self.start)
        var calls = 0
        while case .fetch(let request) = plan.next, calls < 1_000 {
            calls += 1
            let total = calls.isMultiple(of: 2) ? 400 : 500
            let first = Int64(request.offset + 1)
            let last = Int64(max(min(total, request.offset + request.limit), request.offset))
            let page = Self.page(request.offset, first..<last + 1, of: total)
            plan.answered(page, newIDs: page.characters.map(\.id), added: 0, changed: 0)
        }
        #expect(plan.next == .finish)
    }

    /// Pages that never have anything in common.
    @Test func aListThatIsNeverTheSameIsNotTaken() {
        var plan = MirrorPlan(copying: "http://gateway.test", startedAt: Self.start)
        var id: Int64 = 1
        var calls = 0
        while case .fetch(let request) = plan.next, calls < 1_000 {
            calls += 1
            let count = Int64(min(max(300 - request.offset, 0), 100))
            let page = Self.page(request.offset, id..<id + count, of: 300)
            id += count
            plan.answered(page, newIDs: page.characters.map(\.id), added: page.characters.count, changed: 0)
        }
        #expect(plan.shortfall == .listChanged)
        plan.restart()
        #expect(plan.next == Self.ask(0))
    }

    @Test(arguments: [(3, 10, 30.0), (10, 4, 86_460.0), (3_010, 4, 172_860.0), (0, 0, 0.0)])
    func theEstimateKnowsTheBudget(_ answersLeft: Int, _ callsLeft: Int, _ seconds: Double) {
        var estimate = MirrorEstimate()
        #expect(estimate.timeLeft(answersLeft: 1, callsLeft: 1, callsPerDay: 3_000) == nil)
        estimate.answered(after: .seconds(5))
        estimate.answered(after: .seconds(15))
        let time = estimate.timeLeft(answersLeft: answersLeft, callsLeft: callsLeft, callsPerDay: 3_000)
        #expect(time == .seconds(seconds))
    }

    static let failures: [(SourceError, waiting: MirrorRetryPolicy.Decision, stopping: MirrorRetryPolicy.Decision)] =
        [
            (.budgetSpent(callsPerDay: 5, retryAfter: .seconds(70)), .wait(.seconds(70)), .giveUp),
            (.quota(retryAfter: .seconds(9)), .wait(.seconds(9)), .giveUp),
            (.quota(retryAfter: nil), .wait(.seconds(900)), .giveUp),
            (.quota(retryAfter: .seconds(86_400)), .wait(.seconds(3_600)), .giveUp),
            (.circuitOpen(lastFailure: "x", retryAfter: .seconds(5)), .wait(.seconds(5)), .wait(.seconds(5))),
            (.interrupted("x"), .wait(.milliseconds(250)), .wait(.milliseconds(250))),
            (.unavailable(status: 503, retryAfter: .seconds(30)), .wait(.seconds(30)), .wait(.seconds(30))),
            (.unavailable(status: 503, retryAfter: .seconds(86_400)), .wait(.seconds(3_600)), .wait(.seconds(3_600))),
            (.credentials("it does not know the public key"), .giveUp, .giveUp),
            (.rejected("x"), .giveUp, .giveUp),
            (.cancelled, .giveUp, .giveUp),
        ]

    @Test(arguments: failures.indices)
    func itWaitsForWhatPasses(_ index: Int) {
        let (error, waiting, stopping) = Self.failures[index]
        var retries = MirrorRetryPolicy(waitsForBudget: true)
        let patiently = retries.failed(error)
        #expect(patiently == waiting)
        retries = MirrorRetryPolicy(waitsForBudget: false)
        let impatiently = retries.failed(error)
        #expect(impatiently == stopping)
    }

    @Test func itWaitsLongerEachTimeAndGivesUpAtLast() {
        var retries = MirrorRetryPolicy(waitsForBudget: true)
        let waits = (1..<MirrorRetryPolicy.maximumFailures).map { _ in retries.failed(.timedOut) }
        #expect(waits[3] == .wait(.seconds(2)))
        #expect(waits.last == .wait(.seconds(60)))
        let last = retries.failed(.timedOut)
        #expect(last == .giveUp)
    }
}
