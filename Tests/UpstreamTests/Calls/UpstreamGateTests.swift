import Catalog
import RPCCore
import Testing

@testable import Upstream

@Suite struct UpstreamGateTests {
    private let start = ManualTime.start

    private func gate(underWay: Int = 2, waiting: Int = 3, calls: Int? = nil) -> UpstreamGate {
        var limits = UpstreamGate.Limits()
        limits.maximumUnderWay = underWay
        limits.maximumWaiting = waiting
        return UpstreamGate(limits: limits, budget: calls.map { CallBudget(callsPerDay: $0, at: start) })
    }

    @Test func whatDoesNotFitWaitsInLineAndTheLineEnds() {
        var gate = gate()
        let decisions = (1...6).map { gate.callWanted($0, at: start) }
        #expect(decisions == [.start, .start, .wait, .wait, .wait, .refuse(.overloaded(maximumRequests: 3))])
        #expect(gate.waitingCount == 3)
        let released = gate.callEnded(.answered, startedAt: start, at: start)
        #expect(released.map(\.ticket) == [3])
        #expect(released.map(\.decision) == [.start])
    }

    @Test func callersTakeTurnsAndAFullLineTakesFromTheLongest() {
        var gate = gate(underWay: 1, waiting: 3)
        let (greedy, modest) = (CallerID.next(), CallerID.next())
        #expect((1...4).map { gate.callWanted($0, from: greedy, at: start) } == [.start, .wait, .wait, .wait])
        #expect(gate.callWanted(5, from: modest, at: start) == .displace(4))
        #expect(gate.callWanted(6, from: greedy, at: start) == .refuse(.overloaded(maximumRequests: 3)))
        var order: [UInt64] = []
        var ending = greedy
        while let next = gate.callEnded(.answered, of: ending, startedAt: start, at: start).first {
            order.append(next.ticket)
            ending = next.ticket == 5 ? modest : greedy
        }
        #expect(order == [2, 5, 3])
    }

    @Test func whoLeavesTheLineIsPassedOver() {
        var gate = gate()
        for ticket in 1...4 as ClosedRange<UInt64> { _ = gate.callWanted(ticket, at: start) }
        #expect(gate.waitCancelled(3) == true)
        #expect(gate.waitCancelled(3) == false)
        #expect(gate.waitCancelled(1) == false, "it is under way")
        #expect(gate.callEnded(.answered, startedAt: start, at: start).map(\.ticket) == [4])
    }

    /// A place that a refused call does not take is the next one's.
    @Test func theLineIsRefusedWhenTheGatewayIsLeftAlone() {
        var gate = gate(underWay: 5, waiting: 10)
        for ticket in 1...8 as ClosedRange<UInt64> { _ = gate.callWanted(ticket, at: start) }
        for _ in 0..<4 {
            _ = gate.callEnded(.failed(.cancelled), startedAt: start, at: start)
        }
        // The last four are under way now, and nobody waits.
        for _ in 0..<3 { _ = gate.callEnded(.failed(.timedOut), startedAt: start, at: start) }
        for ticket in 11...17 as ClosedRange<UInt64> { _ = gate.callWanted(ticket, at: start) }
        _ = gate.callEnded(.failed(.timedOut), startedAt: start, at: start)
        let released = gate.callEnded(.failed(.timedOut), startedAt: start, at: start)
        #expect(!released.isEmpty)
        for (_, decision) in released {
            #expect(
                decision == .refuse(.circuitOpen(lastFailure: "\(SourceError.timedOut)", retryAfter: .seconds(5)))
            )
        }
        #expect(gate.waitingCount == 0)
    }

    @Test func theLedgerIsToldOfCallsAndOfRefusals() {
        var gate = gate(calls: 10)
        #expect(gate.callWanted(1, at: start) == .start)
        #expect(gate.takeEntries() == [.calls(minute: start.minute, change: 1)])
        let later = start + .seconds(90)
        _ = gate.callEnded(.failed(.unreachable("refused")), startedAt: start, at: later)
        #expect(gate.takeEntries() == [.calls(minute: start.minute, change: -1)])
        _ = gate.callWanted(2, at: later)
        _ = gate.callEnded(.failed(.quota(retryAfter: nil)), startedAt: later, at: later)
        let block = CallBudget.Block(until: later + .seconds(900), isProbed: true)
        #expect(gate.takeEntries() == [.calls(minute: later.minute, change: 1), .block(block)])
        #expect(gate.callWanted(3, at: later) == .refuse(.quota(retryAfter: .seconds(900))))
        #expect(gate.takeEntries().isEmpty)
    }

    @Test func withoutABudgetNothingIsCounted() {
        var gate = gate()
        _ = gate.callWanted(1, at: start)
        _ = gate.callEnded(.failed(.quota(retryAfter: nil)), startedAt: start, at: start)
        #expect(gate.takeEntries().isEmpty)
        #expect(gate.callWanted(2, at: start) == .start)
    }

    @Test(arguments: [SourceError.notFound, .rejected("limit"), .quota(retryAfter: .zero), .cancelled, .shutDown])
    func whatIsNoFaultOfTheGatewayOpensNoCircuit(_ failure: SourceError) {
        var gate = gate()
        for ticket in 1...50 as ClosedRange<UInt64> {
            #expect(gate.callWanted(ticket, at: start) == .start)
            _ = gate.callEnded(.failed(failure), startedAt: start, at: start)
        }
    }

    /// A minute of failure costs a gateway little more than a calm one.
    @Test func aFailingGatewayIsAskedLessAndNotMore() {
        var gate = gate()
        var calls = 0
        for second in 0..<60 {
            let now = start + .seconds(second)
            var attempt = 1
            while gate.callWanted(UInt64(calls), at: now) == .start {
                calls += 1
                let failure = SourceError.unavailable(status: 503, retryAfter: nil)
                _ = gate.callEnded(.failed(failure), startedAt: now, at: now)
                guard gate.delay(after: failure, attempt: attempt, deadline: nil, at: now, random: 0) != nil else {
                    break
                }
                attempt += 1
            }
        }
        #expect(calls < 15, "of 60 that were wanted")
    }
}
