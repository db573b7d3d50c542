import Testing

@testable import Upstream

@Suite struct SingleFlightTests {
    private let start = ManualTime.start

    @Test func theFirstBeginsAndTheOthersWait() {
        var machine = SingleFlight<String>()
        #expect(machine.joined(1, "a", deadline: nil) == .begin(1))
        #expect(machine.joined(2, "a", deadline: nil) == .wait(1))
        #expect(machine.joined(3, "b", deadline: nil) == .begin(2))
        #expect(machine.ended(1, "a") == [1, 2])
        #expect(machine.joined(4, "a", deadline: nil) == .begin(3))
    }

    @Test func onlyTheLastToLeaveDropsTheWork() {
        var machine = SingleFlight<String>()
        for waiter in 1...3 as ClosedRange<UInt64> { _ = machine.joined(waiter, "a", deadline: nil) }
        #expect(machine.left(2, "a") == nil)
        #expect(machine.left(2, "a") == nil, "it left already")
        #expect(machine.left(1, "a") == nil)
        #expect(machine.left(3, "a") == 1)
        #expect(machine.joined(4, "a", deadline: nil) == .begin(2), "what was dropped is not joined")
        #expect(machine.ended(1, "a").isEmpty, "and its end is nobody's")
        #expect(machine.ended(2, "a") == [4])
    }

    @Test func workThatGaveSomethingOlderGoesOnByItself() {
        var machine = SingleFlight<String>()
        _ = machine.joined(1, "a", deadline: nil)
        _ = machine.joined(2, "a", deadline: nil)
        #expect(machine.left(2, "a") == nil)
        #expect(machine.answeredEarly(1, "a") == [1])
        #expect(machine.left(1, "a") == nil)
        #expect(machine.joined(3, "a", deadline: nil) == .takeEarly(1))
        #expect(machine.ended(1, "a").isEmpty)
        #expect(machine.answeredEarly(1, "a").isEmpty)
        #expect(machine.joined(4, "a", deadline: nil) == .begin(2))
    }

    @Test func theLastDeadlineCounts() {
        var machine = SingleFlight<String>()
        let (soon, late) = (start + .seconds(1), start + .seconds(9))
        _ = machine.joined(1, "a", deadline: soon)
        #expect(machine.deadline(of: 1, "a") == soon)
        _ = machine.joined(2, "a", deadline: late)
        _ = machine.joined(3, "a", deadline: soon)
        #expect(machine.deadline(of: 1, "a") == late)
        _ = machine.joined(4, "a", deadline: nil)
        _ = machine.joined(5, "a", deadline: soon)
        #expect(machine.deadline(of: 1, "a") == nil, "one has time")
    }
}
