import Framing
import RPCCore
import Testing

/// Calls beyond what the server allows wait for their turn.
struct ClientWaitingTests {
    private static let assumed = 100

    private func open(_ count: Int, on machine: inout ClientConnectionStateMachine) {
        for _ in 0..<count { _ = machine.openCall(.unary) }
    }

    @Test func aServerThatSaysNothingIsTakenToAllowAHundred() {
        var machine = ClientConnectionStateMachine()
        open(Self.assumed - 1, on: &machine)
        let last = machine.openCall(.unary)
        #expect(last == .send(199))
        let next = machine.openCall(.unary)
        #expect(next == .wait)
        let none = machine.nextCall(.unary)
        #expect(none == nil)
        _ = machine.callAbandoned(1)
        let freed = machine.nextCall(.unary)
        #expect(freed == 201)
    }

    @Test(arguments: [(UInt32(2), 2), (0, 100), (.max, 5_000)])
    func aHelloSaysHowManyAreAllowed(maximum: UInt32, opened: Int) {
        var machine = ClientConnectionStateMachine()
        machine.helloReceived(maximumStreams: maximum)
        for _ in 0..<opened {
            let action = machine.openCall(.serverStreaming)
            guard case .send = action else {
                Issue.record("\(action)")
                return
            }
        }
        guard maximum < .max else { return }
        let next = machine.openCall(.unary)
        #expect(next == .wait)
    }

    @Test func aLateHelloLetsThoseGoThatWait() {
        var machine = ClientConnectionStateMachine()
        open(Self.assumed + 2, on: &machine)
        machine.helloReceived(maximumStreams: 101)
        let first = machine.nextCall(.unary)
        #expect(first == 201)
        let second = machine.nextCall(.unary)
        #expect(second == nil)
    }

    @Test func nobodyPassesThoseWhoWait() {
        var machine = ClientConnectionStateMachine()
        open(Self.assumed + 1, on: &machine)
        _ = machine.callAbandoned(1)
        let newcomer = machine.openCall(.unary)
        #expect(newcomer == .wait)
    }

    @Test func theQueueIsBounded() {
        var machine = ClientConnectionStateMachine(maximumWaiting: 2)
        open(Self.assumed + 2, on: &machine)
        let refused = machine.openCall(.unary)
        #expect(refused == .refuseFull(2))
        machine.callWithdrawn()
        let admitted = machine.openCall(.unary)
        #expect(admitted == .wait)
    }

    @Test func aRetiredConnectionOpensNoneOfThem() {
        var machine = ClientConnectionStateMachine()
        open(Self.assumed + 1, on: &machine)
        _ = machine.goAwayReceived(lastStreamID: 1)
        let none = machine.nextCall(.unary)
        #expect(none == nil)
        let refused = machine.openCall(.unary)
        #expect(refused == .refuse)
    }

    @Test func theLastIDsRetireTheConnection() {
        var machine = ClientConnectionStateMachine(firstStreamID: 0xBFFF_FFFF)
        let acceptsBefore = machine.acceptsCalls
        #expect(acceptsBefore)
        let first = machine.openCall(.unary)
        #expect(first == .send(0xBFFF_FFFF))
        let last = machine.openCall(.unary)
        #expect(last == .send(0xC000_0001))
        let acceptsAfter = machine.acceptsCalls
        #expect(!acceptsAfter)
        let refused = machine.openCall(.unary)
        #expect(refused == .refuse)
        let isFinishedBefore = machine.isFinished
        _ = machine.connectionClosed()
        let isFinishedAfter = machine.isFinished
        #expect(!isFinishedBefore && isFinishedAfter)
    }
}
