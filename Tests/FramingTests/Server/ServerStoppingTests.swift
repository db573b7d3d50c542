import Framing
import NIOCore
import RPCCore
import Testing

/// A call that is over for its peer, and whose handler has not stopped yet.
@Suite struct ServerStoppingTests {
    private static func machine(maximumStreams: Int = 1) -> ServerConnectionStateMachine {
        var machine = ServerConnectionStateMachine(maximumStreams: maximumStreams)
        machine.sayHello(initialCredit: 1)
        machine.openStream(1)
        return machine
    }

    enum Stop: CaseIterable {
        case cancelled
        case failed
        case answered

        func carryOut(_ machine: inout ServerConnectionStateMachine) {
            switch self {
            case .cancelled: _ = machine.frameReceived(.cancel(1))
            case .failed: _ = machine.frameReceived(.data(1))
            case .answered: machine.callAnswered(1)
            }
        }
    }

    @Test(arguments: Stop.allCases)
    func aStoppingCallCountsUntilItsHandlerHasStopped(_ stop: Stop) {
        var machine = Self.machine()
        stop.carryOut(&machine)
        let refused = machine.frameReceived(.request(3))
        #expect(refused == .refuse(3, .streamLimit(1)))
        _ = machine.callEnded(1)
        let accepted = machine.frameReceived(.request(5))
        #expect(accepted == .startCall(5, wantsStream: false))
    }

    @Test(arguments: Stop.allCases)
    func laterFramesForAStoppingCallAreIgnored(_ stop: Stop) {
        var machine = Self.machine()
        stop.carryOut(&machine)
        for frame in [.cancel(1), .credit(1, 1), .data(1), .end(1)] as [Frame] {
            let action = machine.frameReceived(frame)
            #expect(action == .ignore)
        }
        let oversized = machine.oversizedFrameReceived(.oversized(.data, on: 1), maximum: 1_000)
        #expect(oversized == .ignore)
        let reused = machine.frameReceived(.request(1))
        #expect(reused == .refuse(1, .reusedStreamID))
    }

    @Test func aDrainingConnectionWaitsForItsHandlerToStop() {
        var machine = Self.machine()
        _ = machine.drain()
        let cancel = machine.frameReceived(.cancel(1))
        #expect(cancel == .stopCall(1))
        let end = machine.callEnded(1)
        #expect(end == .closeConnection)
    }

    @Test func anEndedCallCannotBeAnswered() {
        var machine = Self.machine()
        _ = machine.callEnded(1)
        machine.callAnswered(1)
        let open = machine.connectionClosed()
        #expect(open.isEmpty)
    }
}
