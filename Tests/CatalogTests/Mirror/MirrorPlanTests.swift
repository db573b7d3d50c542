import Catalog
import MarvelAPI
import MarvelDomain
import Testing

/// What is asked next, given what was answered.
struct MirrorPlanTests {
    private static let start = Timestamp(seconds: 1_790_000_000)
    private static let since = Timestamp(seconds: 1_790_000_000 - MirrorPlan.margin)

    private static func page(_ offset: Int, _ count: Int, of total: Int, unreadable: Int = 0) -> CharacterResults {
        CharacterResults(
            characters: (0..<count - unreadable).map { MarvelCharacter(id: Int64(offset + $0 + 1), name: "Name") },
            offset: offset,
            receivedCount: count,
            total: total,
            attribution: "Data provided by a test",
            etag: nil
        )
    }

    /// A walk: each answer's offset, count, total, and how many of it were new; then what is asked next.
    struct Walk: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var answers: [(offset: Int, count: Int, total: Int, added: Int)]
        var next: MirrorPlan.Step
        var difference: Int?
    }

    private static func ask(_ offset: Int, _ limit: Int = 100, since: Timestamp? = nil) -> MirrorPlan.Step {
        .ask(MirrorQuestion(offset: offset, limit: limit, modifiedSince: since))
    }

    static let copies = [
        Walk(testDescription: "nothing was asked", answers: [], next: ask(0)),
        Walk(testDescription: "first page", answers: [(0, 100, 250, 100)], next: ask(100), difference: 150),
        Walk(
            testDescription: "all pages",
            answers: [(0, 100, 250, 100), (100, 100, 250, 100), (200, 50, 250, 50)],
            next: .finish,
            difference: 0
        ),
        Walk(testDescription: "an empty gateway", answers: [(0, 0, 0, 0)], next: .finish, difference: 0),
        Walk(testDescription: "short pages", answers: [(0, 20, 40, 20)], next: ask(20), difference: 20),
        Walk(
            testDescription: "three were removed: as many are asked for again",
            answers: [(0, 100, 250, 100), (100, 100, 247, 100)],
            next: ask(97),
            difference: 47
        ),
        Walk(
            testDescription: "and then it goes on",
            answers: [(0, 100, 250, 100), (100, 100, 247, 100), (97, 100, 247, 3)],
            next: ask(197),
            difference: 44
        ),
        Walk(
            testDescription: "one came in where it was: what changed is asked for",
            answers: [(0, 100, 150, 100), (100, 51, 151, 50)],
            next: ask(0, since: since),
            difference: 1
        ),
        Walk(
            testDescription: "and then how many there are",
            answers: [(0, 100, 150, 100), (100, 51, 151, 50), (0, 1, 1, 1)],
            next: ask(0, 1),
            difference: 0
        ),
        Walk(
            testDescription: "pages end before the total: it is checked and told",
            answers: [(0, 100, 200, 100), (100, 0, 200, 0), (0, 0, 0, 0), (0, 1, 200, 0)],
            next: .finish,
            difference: 100
        ),
    ]

    @Test(arguments: copies)
    func aCopyAsksForEveryPage(_ walk: Walk) {
        var plan = MirrorPlan(copying: "http://gateway.test", startedAt: Self.start)
        for answer in walk.answers {
            plan.answered(Self.page(answer.offset, answer.count, of: answer.total), added: answer.added, changed: 0)
        }
        #expect(plan.next == walk.next)
        #expect(plan.difference == walk.difference)
    }

    @Test func aRefreshAsksForChangesAndThenForTheirNumber() {
        var plan = MirrorPlan(
            refreshing: "http://gateway.test",
            from: Self.start,
            stored: 300,
            attribution: "older",
            startedAt: Timestamp(seconds: 1_800_000_000)
        )
        #expect(plan.next == Self.ask(0, since: Self.since))
        plan.answered(Self.page(0, 100, of: 101), added: 2, changed: 90)
        #expect(plan.next == Self.ask(100, since: Self.since))
        plan.answered(Self.page(100, 1, of: 101), added: 0, changed: 1)
        #expect(plan.next == Self.ask(0, 1))
        plan.answered(Self.page(0, 1, of: 302), added: 0, changed: 0)
        #expect(plan.next == .finish)
        #expect([plan.stored, plan.added, plan.changed] == [302, 2, 91])
        #expect(plan.difference == 0)
        #expect(plan.attribution == "Data provided by a test")
    }

    @Test func entriesThatAreNoCharactersAreNotMissed() {
        var plan = MirrorPlan(copying: "http://gateway.test", startedAt: Self.start)
        plan.answered(Self.page(0, 50, of: 50, unreadable: 2), added: 48, changed: 0)
        #expect(plan.next == .finish)
        #expect(plan.unreadable == 2)
    }

    @Test func aTotalThatJumpsAboutDoesNotKeepItForEver() {
        var plan = MirrorPlan(copying: "http://gateway.test", startedAt: Self.start)
        var calls = 0
        while case .ask(let question) = plan.next, calls < 1_000 {
            calls += 1
            let total = calls.isMultiple(of: 2) ? 400 : 500
            let count = max(min(total - question.offset, question.limit), 0)
            plan.answered(Self.page(question.offset, count, of: total), added: 0, changed: 0)
        }
        #expect(plan.next == .finish)
    }

    @Test(arguments: [(3, 10, 30.0), (10, 4, 86_400 + 60.0), (3_010, 4, 2 * 86_400 + 60.0), (0, 0, 0)])
    func theEstimateKnowsTheBudget(_ answersLeft: Int, _ callsLeft: Int, _ seconds: Double) {
        var estimate = MirrorEstimate()
        #expect(estimate.timeLeft(answersLeft: 1, callsLeft: 1, callsPerDay: 3_000) == nil)
        estimate.answered(after: .seconds(5))
        estimate.answered(after: .seconds(15))
        let time = estimate.timeLeft(answersLeft: answersLeft, callsLeft: callsLeft, callsPerDay: 3_000)
        #expect(time == .seconds(seconds))
    }

    static let failures: [(MarvelAPIError, waiting: MirrorPatience.OnFailure, stopping: MirrorPatience.OnFailure)] = [
        (.budgetSpent(callsPerDay: 5, retryAfter: .seconds(70)), .wait(.seconds(70)), .giveUp),
        (.quota(retryAfter: .seconds(9)), .wait(.seconds(9)), .giveUp),
        (.quota(retryAfter: nil), .wait(.seconds(900)), .giveUp),
        (.quota(retryAfter: .seconds(86_400)), .wait(.seconds(3_600)), .giveUp),
        (.resting(lastFailure: "x", retryAfter: .seconds(5)), .wait(.seconds(5)), .wait(.seconds(5))),
        (.interrupted("x"), .wait(.milliseconds(250)), .wait(.milliseconds(250))),
        (.unavailable(status: 503, retryAfter: .seconds(30)), .wait(.seconds(30)), .wait(.seconds(30))),
        (.unavailable(status: 503, retryAfter: .seconds(86_400)), .wait(.seconds(3_600)), .wait(.seconds(3_600))),
        (.credentials(.unknownKey), .giveUp, .giveUp),
        (.rejected("x"), .giveUp, .giveUp),
        (.cancelled, .giveUp, .giveUp),
    ]

    @Test(arguments: failures.indices)
    func itWaitsForWhatPasses(_ index: Int) {
        let (error, waiting, stopping) = Self.failures[index]
        var patience = MirrorPatience(waitsForBudget: true)
        let patiently = patience.failed(error)
        #expect(patiently == waiting)
        patience = MirrorPatience(waitsForBudget: false)
        let impatiently = patience.failed(error)
        #expect(impatiently == stopping)
    }

    @Test func itWaitsLongerEachTimeAndGivesUpAtLast() {
        var patience = MirrorPatience(waitsForBudget: true)
        let waits = (1..<MirrorPatience.maximumFailures).map { _ in patience.failed(.timedOut) }
        #expect(waits[3] == .wait(.seconds(2)))
        #expect(waits.last == .wait(.seconds(60)))
        let last = patience.failed(.timedOut)
        #expect(last == .giveUp)
    }
}
