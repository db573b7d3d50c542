import MarvelDomain
import RPCCore
import Synchronization
import Testing

@testable import Upstream

@Suite struct UpstreamFailureTests {
    /// Answers and cancellations are not reported to the operator.
    @Test(arguments: [
        (SourceError.timedOut, 1), (.credentials("the public key is unknown"), 1), (.quota(retryAfter: nil), 1),
        (.notFound, 0),
        (.cancelled, 0), (.shutDown, 0),
    ])
    func failuresAreCountedAndTold(_ failure: SourceError, _ count: Int) async {
        let counts = UpstreamCounts()
        let told = Mutex<[String]>([])
        var limits = UpstreamLimits()
        limits.retry.maximumAttempts = 1
        let caller = UpstreamCaller(limits: limits, clock: ManualTime().clock, counts: counts) {
            failure in told.withLock { $0.append(failure) }
        }
        await #expect(throws: failure) {
            try await caller.call(timeLeft: { nil }) { () async throws(SourceError) in throw failure }
        }
        #expect(counts[.failed] == count)
        #expect(told.withLock { $0 } == (count == 0 ? [] : ["\(failure)"]))
    }
}
