import RPCCore
import Testing

@testable import Catalog

@Suite struct CallSlotsTests {
    private let callers = (0..<3).map { _ in CallerID.next() }

    /// Slots, all taken by the server itself, and calls that wait: `0`, `1`, `2` stand for their callers, in order.
    private func slots(_ waiting: [Int], underWay: Int = 1, maximum: Int = 100) -> CallSlots {
        var slots = CallSlots(maximumUnderWay: underWay, maximumWaiting: maximum)
        for _ in 0..<underWay { slots.begin(.server) }
        for (ticket, caller) in waiting.enumerated() {
            let outcome = slots.wait(UInt64(ticket), of: callers[caller])
            #expect(outcome == .wait)
        }
        return slots
    }

    /// Returns the owner of each turn: each call ends before the next begins.
    private func turns(_ slots: inout CallSlots) -> [Int] {
        var turns: [Int] = []
        while let next = slots.next() {
            slots.begin(next.caller)
            slots.end(next.caller)
            turns.append(callers.firstIndex(of: next.caller) ?? -1)
        }
        return turns
    }

    @Test(arguments: [
        ([0, 0, 0, 0, 1, 2], [0, 1, 2, 0, 0, 0]), ([0, 0, 1, 1, 2, 2], [0, 1, 2, 0, 1, 2]),
        ([1, 0, 0, 1], [1, 0, 1, 0]),
        ([0, 0, 0], [0, 0, 0]), ([], []),
    ])
    func callersTakeTurns(_ waiting: [Int], _ expected: [Int]) {
        var slots = slots(waiting)
        #expect(turns(&slots) == expected)
        #expect(slots.waitingCount == 0)
    }

    @Test func callsOfOneCallerKeepTheirOrder() {
        var slots = slots([0, 1, 0, 1, 0])
        var tickets: [UInt64] = []
        while let next = slots.next() { tickets.append(next.ticket) }
        #expect(tickets == [0, 1, 2, 3, 4])
    }

    /// Calls that take long hold more than their share, whoever's turn it is.
    @Test func theCallerWithTheFewestCallsIsNext() {
        var slots = slots([0, 1], underWay: 3)
        slots.begin(callers[0])
        #expect(slots.next()?.caller == callers[1])
        slots.end(callers[0])
        #expect(slots.next()?.caller == callers[0])
    }

    /// Whoever asks one thing at a time is not served before all others each time.
    @Test func rejoiningTheQueueGainsNothing() {
        var slots = slots([0, 0, 0, 1])
        var served: [Int] = []
        for ticket in 10..<14 as Range<UInt64> {
            guard let next = slots.next() else { break }
            served.append(callers.firstIndex(of: next.caller) ?? -1)
            if served.last == 1 { _ = slots.wait(ticket, of: callers[1]) }
        }
        #expect(served == [0, 1, 0, 1])
    }

    @Test func theLargestQueueLosesItsLastCall() {
        var slots = slots([0, 0, 0, 1], maximum: 4)
        #expect(slots.wait(10, of: callers[2]) == .displace(2))
        #expect(slots.wait(11, of: callers[0]) == .refuse, "no caller has more than its share")
        #expect(slots.waitingCount == 4)
        #expect(slots.withdraw(2) == false)
        #expect(turns(&slots) == [0, 1, 2, 0])
    }

    @Test func cancelledWaitersAreSkipped() {
        var slots = slots([0, 1, 0])
        #expect(slots.withdraw(1) == true)
        #expect(slots.withdraw(1) == false)
        #expect(turns(&slots) == [0, 0])
    }
}
