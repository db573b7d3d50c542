import Framing
import NIOCore
import RPCCore
import Testing

/// The streams that a client may open, and frames on other ones. (ttrpc's PROTOCOL.md, "Message Frame", "Data")
@Suite struct ServerStreamTests {
    @Test(
        arguments: [
            ([], false), (.remoteClosed, true), (.remoteOpen, true), ([.remoteClosed, .remoteOpen], true),
            (.noData, false), (FrameFlags(rawValue: 0xF8), false), (FrameFlags(rawValue: 0xF9), true),
        ] as [(FrameFlags, Bool)]
    )
    func theFlagsOfARequestTellWhetherItsCallerReadsAStream(_ flags: FrameFlags, _ wantsStream: Bool) {
        var machine = ServerConnectionStateMachine()
        let action = machine.frameReceived(.request(1, flags))
        #expect(action == .startCall(1, wantsStream: wantsStream))
    }

    @Test func streamIDsMaySkipNumbers() {
        var machine = ServerConnectionStateMachine()
        for id in [1, 9, 0x8000_0001, 0xFFFF_FFFD] as [StreamID] {
            let action = machine.frameReceived(.request(id))
            #expect(action == .startCall(id, wantsStream: false))
        }
    }

    // MARK: The limit

    @Test func the129thCallIsRefusedAndAnEndMakesRoom() {
        var machine = ServerConnectionStateMachine()
        for number in 0..<128 {
            let id = StreamID(rawValue: UInt32(number * 2 + 1))
            let action = machine.frameReceived(.request(id))
            #expect(action == .startCall(id, wantsStream: false))
        }
        let refused = machine.frameReceived(.request(257))
        #expect(refused == .refuse(257, .streamLimit(128)))
        let again = machine.frameReceived(.request(257))
        #expect(again == .refuse(257, .reusedStreamID), "a refused stream has used up its id")
        _ = machine.callEnded(77)
        let accepted = machine.frameReceived(.request(259))
        #expect(accepted == .startCall(259, wantsStream: false))
        let open = machine.connectionClosed()
        #expect(open.count == 128)
        #expect(!open.contains(77) && !open.contains(257))
    }

    @Test func aConfiguredStreamLimitHolds() {
        var machine = ServerConnectionStateMachine(maximumStreams: 1)
        machine.open(1)
        let action = machine.frameReceived(.request(3))
        #expect(action == .refuse(3, .streamLimit(1)))
    }

    @Test func aCallThatEndsTwiceMakesRoomOnce() {
        var machine = ServerConnectionStateMachine(maximumStreams: 1)
        machine.open(1)
        _ = machine.callEnded(1)
        _ = machine.callEnded(1)
        machine.open(3)
        let action = machine.frameReceived(.request(5))
        #expect(action == .refuse(5, .streamLimit(1)))
    }

    // MARK: Data from a client

    @Test func dataThatCrossedTheRefusalOfItsStreamIsIgnored() {
        var machine = ServerConnectionStateMachine(maximumStreams: 1)
        machine.open(1)
        machine.open(3)
        let overLimit = machine.frameReceived(.data(3))
        #expect(overLimit == .ignore)
        _ = machine.oversizedFrameReceived(.oversized(.request, on: 5), maximum: 1_000)
        let oversized = machine.frameReceived(.end(5))
        #expect(oversized == .ignore)
    }

    @Test func thirtyTwoEndsAreRemembered() {
        var machine = ServerConnectionStateMachine()
        let ids = (0..<40).map { StreamID(rawValue: UInt32($0 * 2 + 1)) }
        for id in ids {
            machine.open(id)
            _ = machine.callEnded(id)
        }
        for id in ids.dropLast(32) {
            let action = machine.frameReceived(.data(id))
            #expect(action == .refuse(id, .inactiveStream), "ended long ago")
        }
        for id in ids.suffix(32) {
            let action = machine.frameReceived(.data(id))
            #expect(action == .ignore, "ended lately")
        }
    }

    // MARK: Oversized frames

    @Test func anOversizedRequestIsRefusedAndUsesUpItsID() {
        var machine = ServerConnectionStateMachine()
        let action = machine.oversizedFrameReceived(.oversized(.request, on: 5), maximum: 1_000)
        #expect(action == .refuse(5, .frameTooLarge(byteCount: 5_000_000, maximum: 1_000)))
        let again = machine.frameReceived(.request(5))
        #expect(again == .refuse(5, .reusedStreamID))
        let next = machine.frameReceived(.request(7))
        #expect(next == .startCall(7, wantsStream: false))
    }
}
