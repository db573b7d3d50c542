import Framing
import NIOCore
import RPCCore
import Testing

/// Connections that wait for a call. Times are in seconds.
@Suite struct ServerIdleTests {
    /// A connection may be idle for 100 s.
    private static func machine(streams: [StreamID] = []) -> ServerConnectionStateMachine {
        var limits = PeerLimits()
        limits.idleTimeout = .seconds(100)
        var machine = ServerConnectionStateMachine(limits: limits, now: .start)
        machine.sayHello(initialCredit: 1)
        for id in streams { machine.openStream(id) }
        return machine
    }

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

    @Test func theIdleTimeBeginsWhenTheLastCallEnds() {
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

    @Test func aPingIsNotACall() {
        var machine = Self.machine()
        _ = machine.frameReceived(.ping, now: .seconds(99))
        let check = machine.check(now: .seconds(100))
        #expect(check != .continueConnection)
    }

    @Test func withoutAnIdleTimeoutNothingIsChecked() {
        var limits = PeerLimits()
        limits.idleTimeout = nil
        var machine = ServerConnectionStateMachine(limits: limits, now: .start)
        let next = machine.nextCheck
        #expect(next == nil)
        let check = machine.check(now: .seconds(1_000_000))
        #expect(check == .continueConnection)
    }
}
