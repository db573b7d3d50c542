import RPCCore
import Testing

struct RetryPolicyTests {
    private let policy = RetryPolicy(maximumAttempts: 5, backoff: Backoff(initial: .seconds(1), maximum: .seconds(8)))

    private func delay(
        _ error: RPCError,
        attempts: Int = 1,
        isRepeatable: Bool = true,
        remaining: Duration? = nil
    ) -> Duration? {
        let failure = RetryPolicy.Failure(
            error: error,
            attempts: attempts,
            isRepeatable: isRepeatable,
            remaining: remaining
        )
        return policy.delay(after: failure, random: 1)
    }

    @Test(arguments: StatusCode.allCases)
    func onlyWhatMayPassIsSentAgain(code: StatusCode) {
        #expect((delay(RPCError(code, "")) != nil) == (code == .unavailable))
        let inviting = RPCError(code, "", details: [.retryInfo(.seconds(2))])
        #expect((delay(inviting) != nil) == (code == .unavailable || code == .resourceExhausted))
    }

    @Test func aCallThatMayHaveDoneItsWorkIsNotRepeated() {
        #expect(delay(RPCError(.unavailable, ""), isRepeatable: false) == nil)
    }

    @Test func fiveAttemptsAreEnough() {
        let delays = (1...6).map { delay(RPCError(.unavailable, ""), attempts: $0) }
        #expect(delays == [.seconds(1), .seconds(2), .seconds(4), .seconds(8), nil, nil])
    }

    @Test func theServersWishIsTheLeast() {
        let error = RPCError(.unavailable, "", details: [.retryInfo(.seconds(10))])
        #expect(delay(error) == .seconds(11))
    }

    @Test func aServerThatWantsToBeLeftAloneForLongIsTheCallersToKnow() {
        let error = RPCError(.resourceExhausted, "", details: [.retryInfo(.milliseconds(10_001))])
        #expect(delay(error) == nil)
    }

    @Test(arguments: [(Duration.milliseconds(1001), true), (.seconds(1), false), (.zero, false)])
    func noWaitOutlastsTheCallersTime(remaining: Duration, isRepeated: Bool) {
        #expect((delay(RPCError(.unavailable, ""), remaining: remaining) != nil) == isRepeated)
    }
}
