import MarvelDomain
import RPCCore
import Synchronization
import Testing

@testable import Upstream

@Suite struct UpstreamFailureTests {
    @Test func aKindOfFailureIsReportedOnceAMinute() {
        var notices = FailureNotices()
        let start = ManualTime.start
        var told: [Int] = []
        for second in 0..<180 {
            if let count = notices.failed("a", at: start + .seconds(second)) { told.append(count) }
        }
        #expect(told == [1, 60, 60])
        #expect(notices.failed("b", at: start) == 1, "another kind is news")
    }

    @Test func tooManyKindsAreReportedAsOne() {
        var notices = FailureNotices()
        let told = (0..<10_000).count { notices.failed("\($0)", at: ManualTime.start) != nil }
        #expect(told < 50)
    }

    /// Answers and cancellations are not reported to the operator.
    @Test(arguments: [
        (SourceError.timedOut, 1), (.credentials("the public key is unknown"), 1), (.quota(retryAfter: nil), 1),
        (.notFound, 0),
        (.cancelled, 0), (.shutDown, 0),
    ])
    func failuresAreCountedAndTold(_ failure: SourceError, _ count: Int) async {
        let counts = UpstreamCounts()
        let told = Mutex<[UpstreamFailure]>([])
        var limits = UpstreamLimits()
        limits.retry.maximumAttempts = 1
        let caller = UpstreamCaller(limits: limits, clock: ManualTime().clock, counts: counts) {
            failure in told.withLock { $0.append(failure) }
        }
        await #expect(throws: failure) {
            try await caller.call(timeLeft: { nil }) { () async throws(SourceError) in throw failure }
        }
        #expect(counts[.failed] == count)
        let expected = UpstreamFailure(peer: .gateway, error: failure, count: 1)
        #expect(told.withLock { $0 } == (count == 0 ? [] : [expected]))
    }
}
