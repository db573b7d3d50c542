import Framing
import NIOCore
import RPCCore
import Testing

/// The number of calls that a client opens at once.
@Suite struct ClientLimitTests {
    /// Opens calls until the machine wants no more.
    private func open(_ machine: inout ClientConnectionStateMachine, atMost limit: Int = 10_000) -> Int {
        for count in 0..<limit {
            guard case .send = machine.openCall(.unary) else { return count }
        }
        return limit
    }

    @Test func theLimitIsAHundredUntilTheServersHello() {
        var machine = ClientConnectionStateMachine()
        #expect(open(&machine) == 100)
        let next = machine.openCall(.serverStreaming)
        #expect(next == .wait)
    }

    @Test(arguments: [(128, 128), (1, 1), (0, 10_000), (.max, 10_000)] as [(UInt32, Int)])
    func afterItsHelloTheServersLimitHolds(_ maximum: UInt32, _ count: Int) {
        var machine = ClientConnectionStateMachine()
        machine.helloReceived(maximumStreams: maximum)
        #expect(open(&machine) == count)
    }

    @Test func callsAboveALowerLimitContinueAndNewOnesWait() {
        var machine = ClientConnectionStateMachine()
        for _ in 0..<3 { _ = machine.openCall(.unary) }
        machine.helloReceived(maximumStreams: 2)
        let answer = machine.frameReceived(.response(1))
        #expect(answer == .finishCall(1))
        let tooEarly = machine.openCall(.unary)
        #expect(tooEarly == .wait)
        _ = machine.frameReceived(.response(3))
        let now = machine.openCall(.unary)
        #expect(now == .send(7))
    }

    enum Ending: CaseIterable {
        case response
        case endOfStream
        case oversized
        case abandoned
    }

    @Test(arguments: Ending.allCases)
    func everyEndOfACallMakesRoomForOne(_ ending: Ending) {
        var machine = ClientConnectionStateMachine()
        machine.helloReceived(maximumStreams: 1)
        _ = machine.openCall(.serverStreaming)
        let full = machine.openCall(.unary)
        #expect(full == .wait)
        switch ending {
        case .response: _ = machine.frameReceived(.response(1))
        case .endOfStream: _ = machine.frameReceived(Frame(.data, on: 1, flags: [.remoteClosed, .noData]))
        case .oversized: _ = machine.oversizedFrameReceived(.oversized(.data, on: 1), maximum: 1_000)
        case .abandoned: _ = machine.callAbandoned(1)
        }
        let next = machine.openCall(.unary)
        #expect(next == .send(3), "no id is used up by waiting")
    }

    @Test func aConnectionThatDrainsRefusesAlsoWhenItIsFull() {
        var machine = ClientConnectionStateMachine()
        machine.helloReceived(maximumStreams: 1)
        _ = machine.openCall(.unary)
        _ = machine.goAwayReceived(lastStreamID: 1)
        let action = machine.openCall(.unary)
        #expect(action == .refuse)
    }

    @Test(arguments: [ClientScene.draining, .closed])
    func aLateHelloIsHarmless(_ scene: ClientScene) {
        var machine = scene.machine()
        let before = machine.phase
        machine.helloReceived(maximumStreams: 1)
        #expect(machine.phase == before)
    }
}
