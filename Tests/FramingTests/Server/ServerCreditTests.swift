import Framing
import NIOCore
import RPCCore
import Testing

/// The meaning of Credit frames, and the credit that streams begin with.
@Suite struct ServerCreditTests {
    private static func machine(open ids: [StreamID] = [1]) -> ServerConnectionStateMachine {
        var machine = ServerConnectionStateMachine()
        machine.sayHello(initialCredit: 2)
        for id in ids { machine.openStream(id) }
        return machine
    }

    @Test(arguments: [1, 2, .max] as [UInt32])
    func streamsBeginWithTheCreditOfTheHello(_ credit: UInt32) {
        var machine = ServerConnectionStateMachine()
        machine.sayHello(initialCredit: credit)
        let initial = machine.initialCredit
        #expect(initial == .messages(credit))
    }

    @Test func anInitialCreditOfZeroIsNotALimit() {
        var machine = ServerConnectionStateMachine()
        machine.sayHello(initialCredit: 0)
        let initial = machine.initialCredit
        #expect(initial == .unlimited)
    }

    @Test func aPlainPeersStreamsHaveNoLimit() {
        var machine = ServerConnectionStateMachine()
        let before = machine.initialCredit
        machine.openStream(1)
        let initial = machine.initialCredit
        #expect(before == .unlimited)
        #expect(initial == .unlimited)
    }

    @Test func creditIsGrantedToItsStream() {
        var machine = Self.machine(open: [1, 3])
        for (id, grant) in [(1, 1), (3, 5), (1, .max)] as [(StreamID, UInt32)] {
            let action = machine.frameReceived(.credit(grant, id))
            #expect(action == .grantCredit(id, grant))
        }
    }

    @Test func creditOfNothingIsIgnored() {
        var machine = Self.machine()
        let action = machine.frameReceived(.credit(0, 1))
        #expect(action == .ignore)
    }

    @Test func aDrainingStreamIsStillGrantedCredit() {
        var machine = Self.machine()
        _ = machine.drain()
        let action = machine.frameReceived(.credit(1, 1))
        #expect(action == .grantCredit(1, 1))
    }
}
