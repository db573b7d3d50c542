import Framing
import NIOCore
import RPCCore
import Testing

/// The calls of a client, from request to end. (ttrpc's PROTOCOL.md, "Streaming")
@Suite struct ClientCallTests {
    private static func machine(_ kinds: Method.Kind...) -> ClientConnectionStateMachine {
        var machine = ClientConnectionStateMachine()
        for kind in kinds { _ = machine.openCall(kind) }
        return machine
    }

    @Test func idsAreOddAndRise() {
        var machine = ClientConnectionStateMachine()
        for id in [1, 3, 5, 7] as [StreamID] {
            let action = machine.openCall(.unary)
            #expect(action == .send(id))
        }
    }

    @Test func aUnaryCallEndsWithItsResponse() {
        var machine = Self.machine(.unary)
        let action = machine.frameReceived(.response(1))
        #expect(action == .finishCall(1))
        let again = machine.frameReceived(.response(1))
        #expect(again == .ignore)
        let open = machine.connectionClosed()
        #expect(open.isEmpty)
    }

    @Test func answersComeInAnyOrder() {
        var machine = Self.machine(.unary, .unary, .unary)
        for id in [5, 1, 3] as [StreamID] {
            let action = machine.frameReceived(.response(id))
            #expect(action == .finishCall(id))
        }
    }

    @Test func aStreamDeliversItsMessagesUntilItsEnd() {
        var machine = Self.machine(.serverStreaming)
        for _ in 0..<3 {
            let message = machine.frameReceived(.data(1))
            #expect(message == .deliver(1, isLast: false))
        }
        let end = machine.frameReceived(.end(1))
        #expect(end == .endStream(1))
        let late = machine.frameReceived(.data(1))
        #expect(late == .ignore)
    }

    @Test func theLastMessageMayEndItsStream() {
        var machine = Self.machine(.serverStreaming)
        let last = machine.frameReceived(.data(1, .remoteClosed))
        #expect(last == .deliver(1, isLast: true))
        let late = machine.frameReceived(.end(1))
        #expect(late == .ignore)
    }

    @Test func anEmptyMessageIsAMessage() {
        var machine = Self.machine(.serverStreaming)
        let message = machine.frameReceived(.data(1, [], ""))
        #expect(message == .deliver(1, isLast: false))
        let last = machine.frameReceived(.data(1, .remoteClosed, ""))
        #expect(last == .deliver(1, isLast: true))
    }

    @Test func aResponseEndsAStreamAtAnyPoint() {
        var machine = Self.machine(.serverStreaming)
        _ = machine.frameReceived(.data(1))
        let action = machine.frameReceived(.response(1))
        #expect(action == .finishStream(1))
        let late = machine.frameReceived(.data(1))
        #expect(late == .ignore)
    }

    @Test func aUnaryCallThatIsStreamedFails() {
        var machine = Self.machine(.unary, .unary)
        guard case .failCall(1, let error, isRunning: true) = machine.frameReceived(.data(1)) else {
            Issue.record("a unary call takes no Data")
            return
        }
        #expect(error.code == .internalError)
        let late = machine.frameReceived(.response(1))
        #expect(late == .ignore)
        let other = machine.frameReceived(.response(3))
        #expect(other == .finishCall(3), "the other call goes on")
    }

    // MARK: Abandoned calls

    @Test(arguments: [Frame.response(1), .data(1), .data(1, .remoteClosed), .end(1)])
    func whatCrossesACancelIsIgnored(_ late: Frame) {
        var machine = Self.machine(.serverStreaming)
        let action = machine.callAbandoned(1)
        #expect(action == .sendCancel)
        let frame = machine.frameReceived(late)
        #expect(frame == .ignore)
    }

    @Test func aCallIsCancelledOnce() {
        var machine = Self.machine(.unary)
        _ = machine.callAbandoned(1)
        let again = machine.callAbandoned(1)
        #expect(again == .ignore)
    }

    @Test func aCallThatIsOverIsNotCancelled() {
        var machine = Self.machine(.unary)
        _ = machine.frameReceived(.response(1))
        let action = machine.callAbandoned(1)
        #expect(action == .ignore)
    }

    @Test func framesNobodyKnowsTouchNoCall() {
        var machine = Self.machine(.unary, .serverStreaming)
        for type in UInt8.min...UInt8.max where ![0x02, 0x03].contains(type) {
            for id in [1, 3] as [StreamID] {
                let action = machine.frameReceived(Frame(FrameType(rawValue: type), on: id))
                #expect(action == .ignore)
            }
        }
        let open = machine.connectionClosed()
        #expect(open == [1, 3])
    }
}
