import RPCCore
import Testing

/// gRFC A6: ten tokens, a failure takes one, a success gives a tenth, none is spent at half or below.
struct RetryBudgetTests {
    @Test func fourFailuresLeaveRoomAndTheFifthDoesNot() {
        var budget = RetryBudget()
        for _ in 1...4 {
            budget.failed()
            #expect(budget.allowsRetry)
        }
        budget.failed()
        #expect(!budget.allowsRetry)
    }

    @Test func aTenthOfATokenAboveHalfIsEnough() {
        var budget = RetryBudget()
        for _ in 1...5 { budget.failed() }
        budget.succeeded()
        #expect(budget.allowsRetry)
    }

    @Test func lostCapacityReturnsATenthAtATime() {
        var budget = RetryBudget()
        for _ in 1...1_000 { budget.failed() }
        for _ in 1...50 {
            budget.succeeded()
            #expect(!budget.allowsRetry)
        }
        budget.succeeded()
        #expect(budget.allowsRetry)
    }

    @Test func successesAreNotSavedUp() {
        var budget = RetryBudget()
        for _ in 1...1_000 { budget.succeeded() }
        for _ in 1...5 { budget.failed() }
        #expect(!budget.allowsRetry)
    }

    /// U5: a service that fails for a minute sees hardly more than one try of each call.
    @Test func aServiceThatFailsIsHardlyAskedMore() {
        var budget = RetryBudget()
        var tries = 0
        for _ in 1...100 {
            var attempt = 1
            tries += 1
            budget.failed()
            while attempt < 5, budget.allowsRetry {
                attempt += 1
                tries += 1
                budget.failed()
            }
        }
        #expect(tries <= 110)
    }
}
