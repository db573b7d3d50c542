import Framing
import NIOCore
import Testing

/// Streams that wait for credit, and connections that wait for a call. Times are in seconds.
@Suite struct ServerWaitingTests {
    typealias OnCheck = ServerConnectionStateMachine.OnCheck

    /// Credit may take 10 s, and a connection may be idle for 100 s.
    private static func machine(streams: [StreamID] = []) -> ServerConnectionStateMachine {
        var limits = PeerLimits()
        limits.creditTimeout = .seconds(10)
        limits.idleTimeout = .seconds(100)
        var machine = ServerConnectionStateMachine(limits: limits, now: .start)
        machine.sayHello(initialCredit: 1)
        for id in streams {
            machine.openStream(id)
            _ = machine.messageWanted(on: id)
        }
        return machine
    }

    private static func timedOut(_ ids: StreamID...) -> OnCheck {
        .failCalls(ids, .creditTimeout(after: .seconds(10)))
    }

    // MARK: Credit

    @Test func aStreamThatWaitsForCreditTooLongIsFailed() {
        var machine = Self.machine(streams: [1])
        _ = machine.messageWanted(on: 1, now: .seconds(5))
        let next = machine.nextCheck
        #expect(next == .seconds(15))
        let early = machine.check(now: .seconds(14))
        #expect(early == .continueConnection)
        let due = machine.check(now: .seconds(15))
        #expect(due == Self.timedOut(1))
        let again = machine.check(now: .seconds(16))
        #expect(again == .continueConnection, "it is failed once")
    }

    @Test func askingAgainBuysNoTime() {
        var machine = Self.machine(streams: [1])
        _ = machine.messageWanted(on: 1, now: .seconds(0))
        _ = machine.messageWanted(on: 1, now: .seconds(9))
        let due = machine.check(now: .seconds(10))
        #expect(due == Self.timedOut(1))
    }

    @Test func creditBuysTime() {
        var machine = Self.machine(streams: [1])
        _ = machine.messageWanted(on: 1, now: .seconds(0))
        let credit = machine.frameReceived(.credit(1, 1), now: .seconds(9))
        #expect(credit == .resumeCall(1))
        _ = machine.messageWanted(on: 1, now: .seconds(9))
        _ = machine.messageWanted(on: 1, now: .seconds(12))
        let early = machine.check(now: .seconds(21))
        #expect(early == .continueConnection)
        let due = machine.check(now: .seconds(22))
        #expect(due == Self.timedOut(1))
    }

    @Test func eachStreamHasItsOwnTime() {
        var machine = Self.machine(streams: [1, 3, 5, 7])
        for (id, now) in [(3, 0), (1, 2), (7, 2), (5, 4)] as [(StreamID, Int64)] {
            _ = machine.messageWanted(on: id, now: .seconds(now))
        }
        _ = machine.callEnded(3)
        let first = machine.check(now: .seconds(10))
        #expect(first == .continueConnection, "the one that began to wait first has ended")
        let next = machine.nextCheck
        #expect(next == .seconds(12))
        let second = machine.check(now: .seconds(12))
        #expect(second == Self.timedOut(1, 7))
        let third = machine.check(now: .seconds(14))
        #expect(third == Self.timedOut(5))
        let afterwards = machine.nextCheck
        #expect(afterwards == .seconds(100), "only idleness is left to be found")
    }

    @Test func aStreamWithoutALimitNeverWaits() {
        var machine = ServerConnectionStateMachine()
        machine.openStream(1)
        for second in Int64(0)..<10 { _ = machine.messageWanted(on: 1, now: .seconds(second)) }
        let check = machine.check(now: .seconds(800))
        #expect(check == .continueConnection)
    }

    @Test func aDrainingServerDoesNotWaitForCredit() {
        var machine = Self.machine(streams: [1])
        machine.open(3)
        _ = machine.drain()
        let message = machine.messageWanted(on: 1)
        #expect(message == .failCall(.draining))
        let again = machine.messageWanted(on: 1)
        #expect(again == .ignore)
    }

    // MARK: Idleness

    @Test func aConnectionWithoutACallIsClosed() {
        var machine = Self.machine()
        let next = machine.nextCheck
        #expect(next == .seconds(100))
        let early = machine.check(now: .seconds(99))
        #expect(early == .continueConnection)
        let due = machine.check(now: .seconds(100))
        let error = ConnectionError.idleTimeout(after: .seconds(100))
        #expect(due == .endConnection(.init(error: error, goAwayAfter: 0)))
        let afterwards = machine.nextCheck
        #expect(afterwards == nil)
    }

    @Test func itsTimeBeginsWhenItsLastCallEnds() {
        var machine = Self.machine(streams: [1, 3])
        _ = machine.callEnded(1, now: .seconds(20))
        _ = machine.callEnded(3, now: .seconds(50))
        let early = machine.check(now: .seconds(100))
        #expect(early == .continueConnection)
        let next = machine.nextCheck
        #expect(next == .seconds(150))
        let due = machine.check(now: .seconds(150))
        #expect(due == .endConnection(.init(error: .idleTimeout(after: .seconds(100)), goAwayAfter: 3)))
    }

    @Test func aConnectionWithACallIsNeverIdle() {
        var machine = ServerConnectionStateMachine()
        machine.openStream(1)
        for minute in Int64(0)..<1_000 {
            let check = machine.check(now: .seconds(minute * 60))
            #expect(check == .continueConnection)
        }
        _ = machine.callEnded(1, now: .seconds(60_000))
        let check = machine.check(now: .seconds(60_899))
        #expect(check == .continueConnection, "15 minutes begin when it ends")
    }

    @Test func aPingIsNoCall() {
        var machine = Self.machine()
        _ = machine.frameReceived(.ping, now: .seconds(99))
        let check = machine.check(now: .seconds(100))
        #expect(check != .continueConnection)
    }

    @Test func whereIdlenessIsAllowedNothingIsAwaited() {
        var limits = PeerLimits()
        limits.idleTimeout = nil
        var machine = ServerConnectionStateMachine(limits: limits, now: .start)
        let next = machine.nextCheck
        #expect(next == nil)
        let check = machine.check(now: .seconds(1_000_000))
        #expect(check == .continueConnection)
    }
}
