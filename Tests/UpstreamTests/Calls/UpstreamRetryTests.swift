import Catalog
import RPCCore
import Testing

@testable import Upstream

@Suite struct UpstreamRetryTests {
    private func delay(
        _ failure: SourceError,
        attempt: Int = 1,
        budget: RetryBudget = RetryBudget(),
        timeLeft: Duration? = nil,
        random: Double = 1
    ) -> Duration? {
        UpstreamRetry()
            .delay(after: failure, attempt: attempt, budget: budget, timeLeft: timeLeft, random: random)
    }

    @Test(arguments: [
        (SourceError.unreachable("refused"), Duration.milliseconds(200) as Duration?),
        (.unavailable(status: 500, retryAfter: nil), .milliseconds(200)),
        (.unavailable(status: 502, retryAfter: nil), .milliseconds(200)),
        (.unavailable(status: 503, retryAfter: .seconds(2)), .milliseconds(2_200)),
        (.unavailable(status: 504, retryAfter: nil), .milliseconds(200)),
        (.quota(retryAfter: .seconds(1)), .milliseconds(1_200)),
        // Longer than a call is held back for: its caller's to decide on.
        (.unavailable(status: 503, retryAfter: .seconds(5)), nil), (.quota(retryAfter: .seconds(60)), nil),
        (.quota(retryAfter: nil), nil), (.unavailable(status: 302, retryAfter: nil), nil),
        (.unavailable(status: 501, retryAfter: nil), nil), (.budgetSpent(callsPerDay: 1, retryAfter: .zero), nil),
        (.circuitOpen(lastFailure: "", retryAfter: .zero), nil), (.credentials("it does not know the public key"), nil),
        (.rejected(""), nil),
        (.notFound, nil), (.invalidReply(""), nil), (.untrusted(""), nil), (.interrupted(""), nil), (.timedOut, nil),
        (.tooLarge(maximumByteCount: 1), nil), (.overloaded(maximumRequests: 1), nil), (.cancelled, nil),
        (.shutDown, nil), (.failed(""), nil),
    ])
    func whatMayPassIsTriedAgain(_ failure: SourceError, _ expected: Duration?) {
        #expect(delay(failure) == expected)
    }

    @Test func thereAreThreeAttemptsAndTheBoundDoubles() {
        #expect(delay(.unreachable(""), attempt: 2) == .milliseconds(400))
        #expect(delay(.unreachable(""), attempt: 3) == nil)
        #expect(delay(.unreachable(""), random: 0) == .milliseconds(10), "full jitter")
    }

    @Test func nothingIsTriedAgainForCallersThatWillHaveGone() {
        #expect(delay(.unreachable(""), timeLeft: .milliseconds(201)) == .milliseconds(200))
        #expect(delay(.unreachable(""), timeLeft: .milliseconds(200)) == nil)
        #expect(delay(.unreachable(""), timeLeft: .seconds(-1)) == nil)
    }

    @Test func aGatewayThatFailsForAllGetsEachCallOnce() {
        var budget = RetryBudget()
        while budget.allowsRetry { budget.failed() }
        #expect(delay(.unreachable(""), budget: budget) == nil)
    }
}
