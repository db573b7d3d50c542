import Framing
import NIOCore
import RPCCore
import Testing

/// The end of a server's connection.
@Suite struct ServerDrainTests {
    @Test func withNothingOpenTheConnectionOfAnExtendedPeerClosesAtOnce() {
        var machine = ServerScene.extended.machine()
        let action = machine.drain()
        #expect(action == .closeConnection(lastStreamID: 3, sendGoAway: true))
        let request = machine.frameReceived(.request(9))
        #expect(request == .ignore)
    }

    /// A plain peer knows no GoAway: a call may be on its way.
    @Test(arguments: [ServerScene.fresh, .plain, .plainCalls])
    func aPlainPeersCallsAreRefusedUntilTheConnectionIsClosed(_ scene: ServerScene) {
        var machine = scene.machine()
        let action = machine.drain()
        #expect(action == .finishCalls(lastStreamID: scene.lastStreamID, sendGoAway: false))
        for id: StreamID in [5, 7] {
            let end = machine.callEnded(id)
            #expect(end == .continueConnection)
        }
        let isIdle = machine.isIdle
        #expect(isIdle)
        let request = machine.frameReceived(.request(9))
        #expect(request == .refuse(9, .draining))
    }

    @Test func aPeerWhoseHelloComesDuringADrainGetsTheGoAway() {
        var machine = ServerScene.fresh.machine()
        let before = machine.lastStreamIDWhileDraining
        #expect(before == nil)
        _ = machine.drain()
        machine.sayHello(initialCredit: 0)
        let last = machine.lastStreamIDWhileDraining
        #expect(last == 0)
        _ = machine.connectionClosed()
        let after = machine.lastStreamIDWhileDraining
        #expect(after == nil)
    }

    @Test func withOpenCallsTheConnectionWaitsForTheLast() {
        var machine = ServerScene.extendedCalls.machine()
        let action = machine.drain()
        #expect(action == .finishCalls(lastStreamID: 7, sendGoAway: true))
        let first = machine.callEnded(7)
        #expect(first == .continueConnection)
        let unknown = machine.callEnded(9)
        #expect(unknown == .continueConnection)
        let last = machine.callEnded(5)
        #expect(last == .closeConnection)
        let again = machine.callEnded(5)
        #expect(again == .continueConnection, "it closes once")
    }

    @Test func aSecondDrainHasNoEffect() {
        var machine = ServerScene.draining.machine()
        let action = machine.drain()
        #expect(action == .ignore)
        var closed = ServerScene.closed.machine()
        let afterwards = closed.drain()
        #expect(afterwards == .ignore)
    }

    @Test func aDrainingConnectionRefusesNewCallsAndObeysCancel() {
        var machine = ServerScene.draining.machine()
        let request = machine.frameReceived(.request(9))
        #expect(request == .refuse(9, .draining))
        let late = machine.frameReceived(.data(9))
        #expect(late == .ignore, "the refusal ended its stream")
        let cancel = machine.frameReceived(.cancel(5))
        #expect(cancel == .stopCall(5))
    }

    @Test func anEndOnAnActiveConnectionClosesNothing() {
        var machine = ServerScene.plainCalls.machine()
        let first = machine.callEnded(5)
        let second = machine.callEnded(7)
        #expect(first == .continueConnection)
        #expect(second == .continueConnection)
    }

    @Test(arguments: ServerScene.allCases)
    func aClosedConnectionReturnsItsCallsOnce(_ scene: ServerScene) {
        var machine = scene.machine()
        let open = machine.connectionClosed()
        #expect(open == (scene.hasOpenCalls ? [5, 7] : []))
        let again = machine.connectionClosed()
        #expect(again.isEmpty)
    }

    @Test func nothingHappensOnAClosedConnection() {
        var machine = ServerScene.closed.machine()
        let ended = machine.callEnded(7)
        let hello = machine.helloReceived(initialCredit: 1)
        let oversized = machine.oversizedFrameReceived(.oversized(.request, on: 9), maximum: 1_000)
        #expect(ended == .continueConnection)
        #expect(hello == .ignore)
        #expect(oversized == .ignore)
    }
}
