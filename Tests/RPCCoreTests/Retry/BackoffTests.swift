import RPCCore
import Testing

struct BackoffTests {
    private static let backoff = Backoff(initial: .milliseconds(100), maximum: .seconds(10))

    @Test(arguments: [
        (1, Duration.milliseconds(100)), (2, .milliseconds(200)), (4, .milliseconds(800)), (7, .milliseconds(6400)),
        (8, .seconds(10)), (100, .seconds(10)), (.max, .seconds(10)),
    ])
    func theLongestWaitDoublesUpToItsLimit(failures: Int, longest: Duration) {
        #expect(Self.backoff.delay(afterFailures: failures, random: 1) == longest)
        #expect(Self.backoff.delay(afterFailures: failures, random: 0.5) == longest / 2)
        #expect(Self.backoff.delay(afterFailures: failures, random: 0) == .zero)
    }
}

struct RetryBudgetTests {
    @Test func afterFewFailuresNothingIsRepeated() {
        var budget = RetryBudget()
        let allowed = (0..<12).map { _ in budget.callFailed() }
        #expect(allowed == Array(repeating: true, count: 4) + Array(repeating: false, count: 8))
    }

    @Test func tenSuccessesPayForOneRepeat() {
        var budget = RetryBudget()
        for _ in 0..<5 { _ = budget.callFailed() }
        for _ in 0..<10 { budget.callSucceeded() }
        let isStillSpent = budget.callFailed()
        #expect(!isStillSpent)
        for _ in 0..<12 { budget.callSucceeded() }
        let isAllowed = budget.callFailed()
        #expect(isAllowed)
    }

    /// However long all goes well, an outage finds the same few repeats.
    @Test func successesSaveUpNothing() {
        var budget = RetryBudget()
        for _ in 0..<100_000 { budget.callSucceeded() }
        #expect(budget == RetryBudget())
    }
}
