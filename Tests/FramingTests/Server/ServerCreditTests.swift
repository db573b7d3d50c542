import Framing
import NIOCore
import Testing

/// Credit counts messages: what a stream may send, when it waits, and when it goes on.
@Suite struct ServerCreditTests {
    private static func machine(initialCredit: UInt32, streams: [StreamID] = [1]) -> ServerConnectionStateMachine {
        var machine = ServerConnectionStateMachine()
        machine.sayHello(initialCredit: initialCredit)
        for id in streams { machine.openStream(id) }
        return machine
    }

    @Test(arguments: [1, 2, 7] as [UInt32])
    func aStreamSendsItsInitialCreditAndWaits(_ initial: UInt32) {
        var machine = Self.machine(initialCredit: initial)
        let sent = machine.spendAllCredit(on: 1)
        #expect(sent == initial)
        let next = machine.messageWanted(on: 1)
        #expect(next == .waitForCredit)
    }

    @Test func eachStreamHasItsOwn() {
        var machine = Self.machine(initialCredit: 2, streams: [1, 3])
        let first = machine.spendAllCredit(on: 1)
        let second = machine.spendAllCredit(on: 3)
        #expect(first == 2)
        #expect(second == 2)
    }

    @Test func anInitialCreditOfZeroIsNoLimit() {
        var machine = Self.machine(initialCredit: 0)
        _ = machine.frameReceived(.credit(1, 1))
        let sent = machine.spendAllCredit(on: 1)
        #expect(sent == 100, "and a Credit does not make it one")
    }

    @Test func aPlainPeersStreamHasNoLimit() {
        var machine = ServerConnectionStateMachine()
        machine.openStream(1)
        let sent = machine.spendAllCredit(on: 1)
        #expect(sent == 100)
    }

    @Test func aCallThatIsNoStreamHasNoLimit() {
        var machine = Self.machine(initialCredit: 1, streams: [])
        machine.open(1)
        let grant = machine.frameReceived(.credit(1, 1))
        #expect(grant == .ignore)
        let sent = machine.spendAllCredit(on: 1)
        #expect(sent == 100)
    }

    @Test func creditResumesAStreamThatWaits() {
        var machine = Self.machine(initialCredit: 1)
        _ = machine.spendAllCredit(on: 1)
        let grant = machine.frameReceived(.credit(2, 1))
        #expect(grant == .resumeCall(1))
        let more = machine.frameReceived(.credit(1, 1))
        #expect(more == .done, "it goes on already")
        let sent = machine.spendAllCredit(on: 1)
        #expect(sent == 3)
        let again = machine.frameReceived(.credit(1, 1))
        #expect(again == .resumeCall(1), "it waited a second time")
    }

    @Test func creditBehindTheRequestAddsToTheInitialOne() {
        var machine = Self.machine(initialCredit: 1)
        let grant = machine.frameReceived(.credit(2, 1))
        #expect(grant == .done, "the stream did not wait")
        let sent = machine.spendAllCredit(on: 1)
        #expect(sent == 3)
    }

    @Test func creditForOneStreamIsNotAnothers() {
        var machine = Self.machine(initialCredit: 1, streams: [1, 3])
        _ = machine.spendAllCredit(on: 1)
        _ = machine.spendAllCredit(on: 3)
        let grant = machine.frameReceived(.credit(5, 3))
        #expect(grant == .resumeCall(3))
        let first = machine.messageWanted(on: 1)
        #expect(first == .waitForCredit)
    }

    @Test func creditOfNothingResumesNothing() {
        var machine = Self.machine(initialCredit: 1)
        _ = machine.spendAllCredit(on: 1)
        let grant = machine.frameReceived(.credit(0, 1))
        #expect(grant == .ignore)
    }

    @Test func creditSaturates() {
        var machine = Self.machine(initialCredit: .max)
        for _ in 0..<3 {
            let grant = machine.frameReceived(.credit(.max, 1))
            #expect(grant == .done)
        }
        let sent = machine.spendAllCredit(on: 1)
        #expect(sent == 100, "a sum that wrapped around would be small")
    }

    @Test(arguments: [0, 3, 5, 8])
    func creditOfAnotherLengthIsIgnored(_ length: Int) {
        var machine = Self.machine(initialCredit: 1)
        _ = machine.spendAllCredit(on: 1)
        let grant = machine.frameReceived(Frame(.credit, on: 1, data: ByteBuffer(repeating: 1, count: length)))
        #expect(grant == .ignore)
        let next = machine.messageWanted(on: 1)
        #expect(next == .waitForCredit)
    }

    @Test func creditForACallThatIsNotOpenIsIgnored() {
        var machine = Self.machine(initialCredit: 1, streams: [1, 3])
        _ = machine.spendAllCredit(on: 1)
        _ = machine.callEnded(1)
        for id in [1, 2, 5, .connection] as [StreamID] {
            let grant = machine.frameReceived(.credit(1, id))
            #expect(grant == .ignore)
        }
    }

    @Test func anEndedStreamWantsNothing() {
        var machine = Self.machine(initialCredit: 1)
        _ = machine.callEnded(1)
        let next = machine.messageWanted(on: 1)
        #expect(next == .ignore)
    }

    @Test func aDrainingStreamIsStillGrantedCredit() {
        var machine = Self.machine(initialCredit: 1)
        _ = machine.spendAllCredit(on: 1)
        _ = machine.drain()
        let grant = machine.frameReceived(.credit(1, 1))
        #expect(grant == .resumeCall(1))
    }
}
