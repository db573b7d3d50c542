import MarvelDomain
import RPCCore
import Testing

@testable import Upstream

@Suite struct UpstreamGateTests {
    private let start = ManualTime.start

    private func gate(underWay: Int = 2, waiting: Int = 3, calls: Int? = nil) -> UpstreamGate {
        var limits = UpstreamLimits()
        limits.maximumUnderWay = underWay
        limits.maximumWaiting = waiting
        return UpstreamGate(limits: limits, budget: calls.map { CallBudget(callsPerDay: $0, at: start) })
    }

    private func started(_ ticket: UInt64) -> UpstreamGate.Decision { .init(ticket: ticket, refusal: nil) }
    private func refused(_ ticket: UInt64, _ refusal: SourceError) -> UpstreamGate.Decision {
        .init(ticket: ticket, refusal: refusal)
    }

    /// A call that began at the start.
    private var call: UpstreamGate.Call { .init(start: start) }

    @Test func callsAboveTheLimitWaitInABoundedQueue() {
        var gate = gate()
        let decisions = (1...6).map { gate.callWanted($0, at: start) }
        let overloaded = refused(6, .overloaded(maximumRequests: 3))
        #expect(decisions == [[started(1)], [started(2)], [], [], [], [overloaded]])
        #expect(gate.callEnded(call, nil, at: start) == [started(3)])
    }

    @Test func callersTakeTurnsAndAFullLineTakesFromTheLongest() {
        var gate = gate(underWay: 1, waiting: 3)
        let (greedy, modest) = (CallerID.next(), CallerID.next())
        #expect((1...4).flatMap { gate.callWanted($0, from: greedy, at: start) } == [started(1)])
        let overloaded = SourceError.overloaded(maximumRequests: 3)
        #expect(gate.callWanted(5, from: modest, at: start) == [refused(4, overloaded)])
        #expect(gate.callWanted(6, from: greedy, at: start) == [refused(6, overloaded)])
        var order: [UInt64] = []
        var ending = greedy
        while let next = gate.callEnded(.init(caller: ending, start: start), nil, at: start).first {
            order.append(next.ticket)
            ending = next.ticket == 5 ? modest : greedy
        }
        #expect(order == [2, 5, 3])
    }

    @Test func cancelledCallersAreSkipped() {
        var gate = gate()
        for ticket in 1...4 as ClosedRange<UInt64> { _ = gate.callWanted(ticket, at: start) }
        #expect(gate.waitCancelled(3) == [refused(3, .cancelled)])
        #expect(gate.waitCancelled(3) == [])
        #expect(gate.waitCancelled(1) == [], "it is under way")
        #expect(gate.callEnded(call, nil, at: start) == [started(4)])
    }

    /// A place that a refused call does not take is the next one's.
    @Test func queuedCallsAreRefusedWhileTheGatewayIsPaused() {
        var gate = gate(underWay: 5, waiting: 10)
        for ticket in 1...5 as ClosedRange<UInt64> { _ = gate.callWanted(ticket, at: start) }
        for _ in 0..<4 { _ = gate.callEnded(call, .timedOut, at: start) }
        #expect((11...17).flatMap { gate.callWanted($0, at: start) } == (11...14).map(started))
        let open = SourceError.circuitOpen(lastFailure: "\(SourceError.timedOut)", retryAfter: .seconds(5))
        #expect(gate.callEnded(call, .timedOut, at: start) == (15...17).map { refused($0, open) })
    }

    @Test func aCallThatWasNotSentIsGivenBack() {
        var gate = gate(calls: 10)
        for (failure, left) in [(SourceError.timedOut, 9), (.unreachable("refused"), 9)] {
            _ = gate.callWanted(1, at: start)
            _ = gate.callEnded(call, failure, at: start + .seconds(90))
            #expect(gate.status(at: start).callsLeft == left)
        }
    }

    /// Two calls run. The gateway refuses the second one, and then answers the first.
    @Test(arguments: [nil, SourceError.notFound, .cancelled, .timedOut])
    func aCallThatBeganBeforeARefusalDoesNotEndThePause(_ failure: SourceError?) {
        var gate = gate(calls: 10)
        _ = gate.callWanted(1, at: start)
        _ = gate.callWanted(2, at: start)
        let (second, later) = (start + .seconds(1), start + .seconds(2))
        _ = gate.callEnded(call, .quota(retryAfter: nil), at: second)
        _ = gate.callEnded(call, failure, at: later)
        #expect(gate.callWanted(3, at: later) == [refused(3, .quota(retryAfter: .seconds(899)))])
        #expect(gate.status(at: later).isPaused)
        // The probe's answer does.
        let probe = second + .seconds(900)
        #expect(gate.callWanted(4, at: probe) == [started(4)])
        _ = gate.callEnded(.init(start: probe), nil, at: probe)
        #expect(gate.callWanted(5, at: probe) == [started(5)])
    }

    @Test func withoutABudgetNothingIsPaused() {
        var gate = gate()
        _ = gate.callWanted(1, at: start)
        _ = gate.callEnded(call, .quota(retryAfter: nil), at: start)
        #expect(gate.callWanted(2, at: start) == [started(2)])
    }

    @Test(arguments: [SourceError.notFound, .rejected("limit"), .quota(retryAfter: .zero), .cancelled, .shutDown])
    func anErrorOfTheCallerDoesNotOpenTheCircuit(_ failure: SourceError) {
        var gate = gate()
        for ticket in 1...50 as ClosedRange<UInt64> {
            #expect(gate.callWanted(ticket, at: start) == [started(ticket)])
            _ = gate.callEnded(call, failure, at: start)
        }
    }

    /// A minute of failure costs a gateway little more than a calm one.
    @Test func aFailingGatewayIsAskedLessAndNotMore() {
        var gate = gate()
        var calls = 0
        for second in 0..<60 {
            let now = start + .seconds(second)
            var attempt = 1
            while gate.callWanted(1, at: now) == [started(1)] {
                calls += 1
                let failure = SourceError.unavailable(status: 503, retryAfter: nil)
                _ = gate.callEnded(.init(start: now), failure, at: now)
                guard gate.delay(after: failure, attempt: attempt, timeLeft: nil, random: 0) != nil else { break }
                attempt += 1
            }
        }
        #expect(calls < 15, "of 60 that were wanted")
    }
}

@Suite struct UpstreamRetryTests {
    private func delay(
        _ failure: SourceError,
        attempt: Int = 1,
        timeLeft: Duration? = nil,
        random: Double = 1
    ) -> Duration? {
        UpstreamGate().delay(after: failure, attempt: attempt, timeLeft: timeLeft, random: random)
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
        (.circuitOpen(lastFailure: "", retryAfter: .zero), nil), (.credentials("the public key is unknown"), nil),
        (.rejected(""), nil),
        (.notFound, nil), (.invalidReply(""), nil), (.untrusted(""), nil), (.interrupted(""), nil), (.timedOut, nil),
        (.tooLarge(maximumByteCount: 1), nil), (.overloaded(maximumRequests: 1), nil), (.cancelled, nil),
        (.shutDown, nil), (.failed(""), nil),
    ])
    func temporaryFailuresAreRetried(_ failure: SourceError, _ expected: Duration?) {
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
        var gate = UpstreamGate()
        let failure = SourceError.unreachable("")
        for second in 0..<600 {
            let now = ManualTime.start + .seconds(second)
            guard gate.callWanted(1, at: now).first?.refusal == nil else { continue }
            _ = gate.callEnded(.init(start: now), failure, at: now)
        }
        #expect(gate.delay(after: failure, attempt: 1, timeLeft: nil, random: 0) == nil)
    }
}
