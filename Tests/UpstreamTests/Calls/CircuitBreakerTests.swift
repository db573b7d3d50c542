import MarvelDomain
import Testing

@testable import Upstream

@Suite struct CircuitBreakerTests {
    private let start = ManualTime.start
    private let failure = SourceError.timedOut

    private func opened() -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for _ in 0..<5 { breaker.failed(failure, at: start) }
        return breaker
    }

    @Test func failuresInARowOpenIt() {
        var breaker = CircuitBreaker()
        for _ in 0..<4 { breaker.failed(failure, at: start) }
        #expect(breaker.pass(at: start) == nil)
        breaker.succeeded()
        for _ in 0..<4 { breaker.failed(failure, at: start) }
        #expect(breaker.pass(at: start) == nil)
        breaker.failed(failure, at: start)
        #expect(
            breaker.pass(at: start + .seconds(2))
                == .circuitOpen(lastFailure: failure.description, retryAfter: .seconds(3))
        )
    }

    /// One broken page that everybody asks for says little of all the others.
    @Test func aQuestionThatFailsCountsOnce() {
        var breaker = CircuitBreaker()
        let broken = SourceError.invalidReply("HTML")
        for _ in 0..<100 { breaker.failed(broken, question: "a", at: start) }
        #expect(breaker.pass(at: start) == nil)
        for question in ["b", "c", "d"] { breaker.failed(broken, question: question, at: start) }
        #expect(breaker.pass(at: start) == nil)
        breaker.failed(broken, question: "e", at: start)
        #expect(breaker.pass(at: start) != nil)
    }

    @Test func theTextNamesTheRestingHosts() {
        var breaker = CircuitBreaker(peer: .pictureHost)
        for _ in 0..<5 { breaker.failed(failure, at: start) }
        let refusal = breaker.pass(at: start)
        #expect(
            refusal == .circuitOpen(lastFailure: "the picture host did not answer in time", retryAfter: .seconds(5))
        )
    }

    @Test func oneCallProbesARestedHost() {
        var breaker = opened()
        #expect(breaker.pass(at: start + .seconds(5)) == nil)
        #expect(breaker.pass(at: start + .seconds(5)) != nil, "the others wait for the probe")
        breaker.succeeded()
        #expect(breaker.pass(at: start + .seconds(5)) == nil)
    }

    @Test func eachProbeThatFailsDoublesTheRestUpToAMinute() {
        var breaker = opened()
        var now = start + .seconds(5)
        for rest in [10, 20, 40, 60, 60] {
            #expect(breaker.pass(at: now) == nil)
            breaker.failed(failure, at: now)
            #expect(breaker.pass(at: now + .seconds(rest - 1)) != nil)
            now = now + .seconds(rest)
        }
    }

    @Test func aProbeThatWasCancelledIsMadeAgain() {
        var breaker = opened()
        #expect(breaker.pass(at: start + .seconds(5)) == nil)
        breaker.abandoned(at: start + .seconds(6))
        #expect(breaker.pass(at: start + .seconds(6)) == nil)
        #expect(breaker.pass(at: start + .seconds(6)) != nil)
    }

    @Test func aCallThatBeganBeforeTheOpeningChangesNothingByFailing() {
        var breaker = opened()
        breaker.failed(failure, at: start + .seconds(4))
        #expect(breaker.pass(at: start + .seconds(5)) == nil)
    }

    @Test(arguments: [SourceError.credentials("the public key is unknown"), .untrusted("expired")])
    func permanentFailuresRestForAMinute(_ failure: SourceError) {
        var breaker = CircuitBreaker()
        breaker.failed(failure, at: start)
        #expect(breaker.pass(at: start + .seconds(59)) == failure)
        #expect(breaker.pass(at: start + .seconds(60)) == nil)
    }
}
