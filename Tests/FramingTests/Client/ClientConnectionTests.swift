import Framing
import NIOCore
import RPCCore
import Testing

/// The states of a client's connection: taking calls, draining, closed.
@Suite struct ClientConnectionTests {
    // MARK: GoAway

    @Test func aSecondGoAwayMayRefuseMoreCalls() {
        var machine = ClientConnectionStateMachine()
        for _ in 0..<3 { _ = machine.openCall(.unary) }
        let first = machine.goAwayReceived(lastStreamID: .connection)
        #expect(first.isEmpty)
        let second = machine.goAwayReceived(lastStreamID: 1)
        #expect(second == [3, 5])
        let third = machine.goAwayReceived(lastStreamID: 5)
        #expect(third.isEmpty)
    }

    // MARK: Ids

    @Test(arguments: [0xC000_0003, 0xFFFF_FFEB, 0xFFFF_FFFD, 0xFFFF_FFFF] as [StreamID])
    func noCallIsOpenedAboveTheLastUsableID(_ first: StreamID) {
        var machine = ClientConnectionStateMachine(firstStreamID: first)
        #expect(machine.phase == .finished)
        let action = machine.openCall(.unary)
        #expect(action == .refuse)
    }

    // MARK: The end

    @Test(arguments: ClientScene.allCases)
    func aClosedConnectionReturnsItsCallsOnce(_ scene: ClientScene) {
        var machine = scene.machine()
        let open = machine.connectionClosed()
        #expect(open == (scene.hasOpenCalls ? [ClientScene.unary, ClientScene.stream] : []))
        let again = machine.connectionClosed()
        #expect(again.isEmpty)
        #expect(machine.phase == .finished)
    }

    @Test func nothingHappensOnAClosedConnection() {
        var machine = ClientScene.closed.machine()
        let call = machine.openCall(.unary)
        let abandoned = machine.callAbandoned(3)
        let dropped = machine.goAwayReceived(lastStreamID: 0)
        let oversized = machine.oversizedFrameReceived(.oversized(.response, on: 3), maximum: 1_000)
        #expect(call == .refuse)
        #expect(abandoned == .ignore)
        #expect(dropped.isEmpty)
        #expect(oversized == .ignore)
        #expect(machine.phase == .finished)
    }
}
