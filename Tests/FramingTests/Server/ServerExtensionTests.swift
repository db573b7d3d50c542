import Framing
import NIOCore
import RPCCore
import Testing

/// Hello, Cancel and Ping: what a peer gets that speaks our extensions, and that no other sees them.
@Suite struct ServerExtensionTests {
    // MARK: Hello

    @Test func aHelloThatComesFirstIsReadAndAnswered() {
        var machine = ServerConnectionStateMachine()
        let action = machine.frameReceived(.hello)
        #expect(action == .readHello)
        let answer = machine.helloReceived(initialCredit: 0)
        #expect(answer == .sendHello)
    }

    @Test func aSecondHelloIsIgnored() {
        var machine = ServerConnectionStateMachine()
        machine.sayHello(initialCredit: 1)
        let action = machine.frameReceived(.hello)
        #expect(action == .ignore)
        let credit = machine.initialCredit
        #expect(credit == .messages(1), "the first Hello still holds")
    }

    @Test(
        arguments: [
            .request(1), .data(1), .ping, .cancel(1), .credit(1, 1), Frame(FrameType(rawValue: 0x77), on: 1),
            // A Hello, but on a call's stream.
            Frame(.hello, on: 1),
        ] as [Frame]
    )
    func aHelloBehindAnotherFrameIsIgnored(_ first: Frame) {
        var machine = ServerConnectionStateMachine()
        _ = machine.frameReceived(first)
        let action = machine.frameReceived(.hello)
        #expect(action == .ignore)
        let ping = machine.frameReceived(.ping)
        #expect(ping == .ignore, "the peer stays plain")
    }

    @Test func aHelloBehindAnOversizedFrameIsIgnored() {
        var machine = ServerConnectionStateMachine()
        _ = machine.oversizedFrameReceived(.oversized(.hello, on: .connection), maximum: 1_000)
        let action = machine.frameReceived(.hello)
        #expect(action == .ignore)
    }

    @Test func aHelloForAClosedConnectionIsNotAnswered() {
        var machine = ServerConnectionStateMachine()
        _ = machine.frameReceived(.hello)
        _ = machine.connectionClosed()
        let answer = machine.helloReceived(initialCredit: 0)
        #expect(answer == .ignore)
    }

    // MARK: Cancel

    @Test func aCancelStopsItsCallOnce() {
        var machine = ServerConnectionStateMachine()
        machine.sayHello(initialCredit: 0)
        machine.open(1)
        machine.open(3)
        let action = machine.frameReceived(.cancel(1))
        #expect(action == .stopCall(1))
        _ = machine.callEnded(1)
        let again = machine.frameReceived(.cancel(1))
        #expect(again == .ignore)
        let open = machine.connectionClosed()
        #expect(open == [3])
    }

    @Test func aCancelAheadOfItsRequestIsIgnored() {
        var machine = ServerConnectionStateMachine()
        machine.sayHello(initialCredit: 0)
        let cancel = machine.frameReceived(.cancel(1))
        #expect(cancel == .ignore)
        let request = machine.frameReceived(.request(1))
        #expect(request == .startCall(1, wantsStream: false))
    }

    // MARK: Ping
}
