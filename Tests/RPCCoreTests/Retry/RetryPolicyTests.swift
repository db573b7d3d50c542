import NIOCore
import RPCCore
import Testing

struct RetryPolicyTests {
    static let policy = RetryPolicy(backoff: Backoff(initial: .milliseconds(100), maximum: .seconds(1)))
    static let now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var error: RPCError = lost
        var attempt = 1
        var isRepeatable = true
        var isBudgetSpent = false
        /// From now.
        var timeLeft: Duration?
        /// The wait, or nil if the caller gets the error. Chance is always at its highest.
        let delay: Duration?
    }

    static let lost = RPCError(.unavailable, "lost", origin: .peer)
    static let unseen = RPCError(
        .unavailable,
        reason: .serverUnreachable,
        "no server",
        metadata: [RPCError.reachedServerKey: "no"]
    )

    static func peer(_ code: StatusCode, retryInfo: Duration? = nil) -> RPCError {
        RPCError(code, "no", details: retryInfo.map { [.retryInfo($0)] } ?? [], origin: .peer)
    }

    static let cases: [Case] = [
        Case(testDescription: "a read is tried again", delay: .milliseconds(100)),
        Case(testDescription: "later with each try", attempt: 3, delay: .milliseconds(400)),
        Case(testDescription: "a fifth time", attempt: 4, delay: .milliseconds(800)),
        Case(testDescription: "but not a sixth", attempt: 5, delay: nil),
        Case(testDescription: "a change that could happen twice is not", isRepeatable: false, delay: nil),
        Case(
            testDescription: "unless no server saw it",
            error: unseen,
            isRepeatable: false,
            delay: .milliseconds(100)
        ),
        Case(testDescription: "nothing is when too much failed", isBudgetSpent: true, delay: nil),
        Case(testDescription: "unless no server saw it", error: unseen, isBudgetSpent: true, delay: .milliseconds(100)),
        Case(testDescription: "within the caller's time", timeLeft: .milliseconds(101), delay: .milliseconds(100)),
        Case(testDescription: "not at its end", timeLeft: .milliseconds(100), delay: nil),
        Case(testDescription: "not after it", timeLeft: .milliseconds(50), delay: nil),
        Case(
            testDescription: "no sooner than the server asks",
            error: peer(.unavailable, retryInfo: .seconds(2)),
            delay: .milliseconds(2_100)
        ),
        Case(
            testDescription: "not at all if that is too late",
            error: peer(.unavailable, retryInfo: .seconds(2)),
            timeLeft: .seconds(2),
            delay: nil
        ),
        Case(
            testDescription: "nor if it is long, though the caller has no limit",
            error: peer(.unavailable, retryInfo: .seconds(3_600)),
            delay: nil
        ),
        Case(
            testDescription: "a passed time to come back is ignored",
            error: peer(.unavailable, retryInfo: .seconds(-5)),
            delay: .milliseconds(100)
        ),
        Case(
            testDescription: "a limit with a time to come back passes",
            error: peer(.resourceExhausted, retryInfo: .milliseconds(100)),
            delay: .milliseconds(200)
        ),
        Case(testDescription: "one without does not", error: peer(.resourceExhausted), delay: nil),
        Case(
            testDescription: "time that is over does not come back",
            error: .init(.deadlineExceeded, "late"),
            delay: nil
        ),
    ]

    @Test(arguments: cases)
    func retriesAndTheirDelays(_ given: Case) {
        var budget = RetryBudget()
        if given.isBudgetSpent { for _ in 1...10 { budget.failed() } }
        let decision = Self.policy.decide(
            RetryPolicy.Failure(
                given.error,
                attempt: given.attempt,
                isRepeatable: given.isRepeatable,
                deadline: given.timeLeft.map { Self.now + TimeAmount($0) }
            ),
            budget: budget,
            now: Self.now,
            random: 1
        )
        let expected = given.delay.map { RetryPolicy.Decision.retry(at: Self.now + TimeAmount($0)) }
        #expect(decision == expected ?? .giveUp)
    }

    @Test(arguments: StatusCode.allCases.filter { $0 != .unavailable })
    func noOtherCodeIsRetried(_ code: StatusCode) {
        let retryInfo: Duration? = code == .resourceExhausted ? nil : .milliseconds(1)
        let failure = RetryPolicy.Failure(Self.peer(code, retryInfo: retryInfo), attempt: 1, isRepeatable: true)
        let decision = Self.policy.decide(failure, budget: RetryBudget(), now: Self.now, random: 0)
        #expect(decision == .giveUp)
    }

    @Test func withRetriesTurnedOffEverythingIsTriedOnce() {
        let failure = RetryPolicy.Failure(Self.unseen, attempt: 1, isRepeatable: true)
        let decision = RetryPolicy.never.decide(failure, budget: RetryBudget(), now: Self.now, random: 0)
        #expect(decision == .giveUp)
    }

    @Test(
        arguments: [
            // attempts, seconds to the next, seconds to the deadline, whether it waits
            (0, 1, nil, true), (4, 1, nil, true), (5, 1, nil, false), (1, 31, nil, false), (1, 30, nil, true),
            (1, 1, 2, true), (1, 1, 1, false), (1, 2, 1, false),
        ] as [(Int, Int64, Int64?, Bool)]
    )
    func aCallWaitsForAConnectionWithinItsTime(_ attempts: Int, _ next: Int64, _ left: Int64?, _ isWaiting: Bool) {
        let waits = Self.policy.waits(
            afterAttempts: attempts,
            for: Self.now + .seconds(next),
            deadline: left.map { Self.now + .seconds($0) },
            now: Self.now
        )
        #expect(waits == isWaiting)
    }

    // MARK: Calls that may have reached the server

    @Test func onlyThisSideCanSayThatTheServerSawNothing() {
        let mine = RPCError(.unavailable, reason: .draining, "a", metadata: [RPCError.reachedServerKey: "no"])
        #expect(!mine.mayHaveReachedServer)
        var theirs = mine
        theirs.origin = .peer
        #expect(theirs.mayHaveReachedServer)
        #expect(
            RPCError(.unavailable, reason: .draining, "a", metadata: [RPCError.reachedServerKey: "maybe"])
                .mayHaveReachedServer
        )
        #expect(RPCError(.unavailable, reason: .draining, "a").mayHaveReachedServer)
        #expect(RPCError(.unavailable, "a").mayHaveReachedServer)
    }
}
