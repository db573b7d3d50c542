import Framing
import NIOCore
import RPCCore
import Testing

/// The limits for rates of a peer's behavior. Three of each in 30 seconds here, and five glitches.
@Suite struct ServerBehaviorTests {
    typealias OnFrame = ServerConnectionStateMachine.OnFrame

    private static func machine(saysHello: Bool = true) -> ServerConnectionStateMachine {
        var limits = PeerLimits()
        limits.cancels = RateLimit(count: 3, window: .seconds(30))
        limits.faults = RateLimit(count: 3, window: .seconds(30))
        limits.controlFrames = RateLimit(count: 3, window: .seconds(30))
        limits.maximumGlitches = 5
        var machine = ServerConnectionStateMachine(limits: limits, now: .start)
        if saysHello { machine.sayHello(initialCredit: 2) }
        return machine
    }

    private static func end(_ behavior: RateLimitedBehavior, limit: Int = 3, after last: StreamID?) -> OnFrame {
        let termination = ServerConnectionStateMachine.ConnectionTermination(
            error: .tooMany(behavior, limit: limit),
            goAwayAfter: last
        )
        return .endConnection(termination)
    }

    private static func id(_ number: Int) -> StreamID { StreamID(rawValue: UInt32(number * 2 + 1)) }

    // MARK: Cancels (CVE-2023-44487)

    @Test func cancelsOfCallsThatHadSentNothingEndTheConnection() {
        var machine = Self.machine()
        for number in 0..<3 {
            machine.open(Self.id(number))
            let cancel = machine.frameReceived(.cancel(Self.id(number)))
            #expect(cancel == .stopCall(Self.id(number)))
            _ = machine.callEnded(Self.id(number))
        }
        machine.open(7)
        let fourth = machine.frameReceived(.cancel(7))
        #expect(fourth == Self.end(.cancels, after: 7))
        let afterwards = machine.frameReceived(.request(9))
        #expect(afterwards == .ignore, "the connection is over")
    }

    @Test func aStreamThatSentSomethingMayBeCancelledAsOftenAsTheUserLikes() {
        var machine = Self.machine()
        for number in 0..<20 {
            machine.openStream(Self.id(number))
            machine.messageWritten(on: Self.id(number))
            machine.flushed()
            let cancel = machine.frameReceived(.cancel(Self.id(number)))
            #expect(cancel == .stopCall(Self.id(number)))
            _ = machine.callEnded(Self.id(number))
        }
    }

    enum Progress: CaseIterable {
        /// The work for its first message is under way.
        case working
        /// Its first message leaves with the next flush.
        case messageWritten
        /// Others' answers left meanwhile.
        case othersFlushed
    }

    /// Bytes that were made are work for nobody, as long as nothing of it was sent.
    @Test(arguments: Progress.allCases)
    func cancelsOfStreamsOfWhichNothingWasSentEndTheConnection(_ progress: Progress) {
        var machine = Self.machine()
        for number in 0...3 {
            let id = Self.id(number)
            machine.openStream(id)
            switch progress {
            case .working: break
            case .messageWritten: machine.messageWritten(on: id)
            case .othersFlushed: machine.flushed()
            }
            let cancel = machine.frameReceived(.cancel(id))
            #expect(cancel == (number < 3 ? .stopCall(id) : Self.end(.cancels, after: 7)))
            _ = machine.callEnded(id)
        }
    }

    @Test func cancelsSpreadOverTimeAreFine() {
        var machine = Self.machine()
        for number in 0..<20 {
            let now = NIODeadline.seconds(Int64(number * 10))
            machine.open(Self.id(number))
            let cancel = machine.frameReceived(.cancel(Self.id(number)), now: now)
            #expect(cancel == .stopCall(Self.id(number)))
            _ = machine.callEnded(Self.id(number), now: now)
        }
    }

    @Test func aWithdrawnRequestCountsAsACancel() {
        var machine = Self.machine()
        for _ in 0..<3 {
            let action = machine.requestWithdrawn(now: .start)
            #expect(action == .done)
        }
        let fourth = machine.requestWithdrawn(now: .start)
        #expect(fourth == Self.end(.cancels, after: 0))
    }

    // MARK: Faults (CVE-2025-8671)

    static let faults: [(String, Frame)] = [
        ("an even id", .request(4)),
        ("a reused id", .request(1)),
        ("the connection's id", .request(.connection)),
        ("data on an even id", .data(2)),
        ("data on no call", .data(99)),
    ]

    @Test(arguments: faults)
    func faultsEndTheConnection(_ fault: String, _ frame: Frame) {
        var machine = Self.machine()
        machine.open(1)
        for _ in 0..<3 {
            guard case .refuse = machine.frameReceived(frame) else {
                Issue.record("\(fault) was not refused")
                return
            }
        }
        let fourth = machine.frameReceived(frame)
        #expect(fourth == Self.end(.faults, after: 1))
    }

    @Test(arguments: faults)
    func faultsThatNoWorkingClientMakesAreCountedForLife(_ fault: String, _ frame: Frame) {
        var machine = Self.machine()
        machine.open(1)
        for minute in Int64(0)..<5 {
            guard case .refuse = machine.frameReceived(frame, now: .seconds(minute * 60)) else {
                Issue.record("\(fault) was not refused")
                return
            }
        }
        let sixth = machine.frameReceived(frame, now: .seconds(3600))
        #expect(sixth == Self.end(.glitches, limit: 5, after: 1))
    }

    @Test func oversizedRequestsAreFaults() {
        var machine = Self.machine()
        for number in 0..<3 {
            _ = machine.oversizedFrameReceived(.oversized(.request, on: Self.id(number)), maximum: 1_000)
        }
        let fourth = machine.oversizedFrameReceived(.oversized(.request, on: 7), maximum: 1_000)
        #expect(fourth == Self.end(.faults, after: 7))
    }

    @Test func dataOnACallIsAFaultButNoGlitch() {
        var machine = Self.machine()
        for number in 0..<20 {
            let now = NIODeadline.seconds(Int64(number * 10))
            machine.open(Self.id(number))
            let action = machine.frameReceived(.data(Self.id(number)), now: now)
            #expect(action == .failCall(Self.id(number), .unexpectedData))
            _ = machine.callEnded(Self.id(number), now: now)
        }
    }

    @Test func requestsThatAreNotMessagesEndTheConnection() {
        var machine = Self.machine()
        for number in 0..<3 {
            machine.open(Self.id(number))
            let action = machine.callFaulted(Self.id(number), now: .start)
            #expect(action == .continueConnection)
        }
        machine.open(7)
        let fourth = machine.callFaulted(7, now: .start)
        let termination = ServerConnectionStateMachine.ConnectionTermination(
            error: .tooMany(.faults, limit: 3),
            goAwayAfter: 7
        )
        #expect(fourth == .endConnection(termination))
    }

    @Test func aFaultOfTheLastCallClosesADrainingConnection() {
        var machine = ServerScene.draining.machine()
        _ = machine.callEnded(7)
        let last = machine.callFaulted(5, now: .start)
        #expect(last == .closeConnection)
        let afterwards = machine.callFaulted(5, now: .start)
        #expect(afterwards == .continueConnection)
    }

    @Test func callsAboveTheStreamLimitAreNotFaults() {
        var limits = PeerLimits()
        limits.maximumStreams = 1
        limits.faults = RateLimit(count: 0, window: .seconds(30))
        var machine = ServerConnectionStateMachine(limits: limits, now: .start)
        machine.open(1)
        for number in 1..<1_000 {
            let action = machine.frameReceived(.request(Self.id(number)))
            #expect(action == .refuse(Self.id(number), .streamLimit(1)))
        }
    }

    @Test func aPlainPeerIsClosedWithoutAGoAway() {
        var machine = Self.machine(saysHello: false)
        for _ in 0..<3 { _ = machine.frameReceived(.request(2)) }
        let fourth = machine.frameReceived(.request(2))
        #expect(fourth == Self.end(.faults, after: nil))
    }

    // MARK: Control frames (CVE-2019-9512, CVE-2019-9515)

    @Test(
        arguments: [
            .ping, .hello, .pong, .goAway, .response(1), .cancel(1), .credit(1, 1), .credit(0, 3),
            Frame(FrameType(rawValue: 0x77), on: 5), Frame(.ping, on: .connection), Frame(.credit, on: 1),
        ] as [Frame]
    )
    func framesWithoutEffectEndTheConnection(_ frame: Frame) {
        var machine = Self.machine()
        for _ in 0..<3 {
            let action = machine.frameReceived(frame)
            machine.pongSent()
            #expect(action == (frame == .ping ? .sendPong : .ignore))
        }
        let fourth = machine.frameReceived(frame)
        #expect(fourth == Self.end(.controlFrames, after: 0))
    }

    @Test func aPlainPeersExtensionsAreUnknownFrames() {
        var machine = Self.machine(saysHello: false)
        machine.open(1)
        for frame in [.cancel(1), .credit(1, 1), .ping] as [Frame] { _ = machine.frameReceived(frame) }
        let fourth = machine.frameReceived(.hello)
        #expect(fourth == Self.end(.controlFrames, after: nil))
    }

    @Test func pingsSpreadOverTimeAreFine() {
        var machine = Self.machine()
        for number in Int64(0)..<50 {
            let action = machine.frameReceived(.ping, now: .seconds(number * 10))
            machine.pongSent()
            #expect(action == .sendPong)
        }
    }

    @Test func creditForEachMessageIsFree() {
        var machine = Self.machine()
        machine.openStream(1)
        for _ in 0..<1_000 {
            machine.messageSent()
            let credit = machine.frameReceived(.credit(1, 1))
            #expect(credit == .grantCredit(1, 1))
        }
    }

    @Test func creditForMessagesOfAStreamThatEndedMeanwhileIsFree() {
        var machine = Self.machine()
        for number in 0..<1_000 {
            machine.openStream(Self.id(number))
            for _ in 0..<2 { machine.messageSent() }
            _ = machine.callEnded(Self.id(number))
            for _ in 0..<2 {
                let credit = machine.frameReceived(.credit(1, Self.id(number)))
                #expect(credit == .ignore)
            }
        }
    }

    @Test func framesOfACallAreFree() {
        var machine = Self.machine()
        for number in 0..<1_000 {
            let id = Self.id(number)
            machine.openStream(id)
            let credit = machine.frameReceived(.credit(5, id))
            let halfClose = machine.frameReceived(.end(id))
            _ = machine.callEnded(id)
            let late = machine.frameReceived(.cancel(id))
            #expect(credit == .grantCredit(id, 5))
            #expect(halfClose == .done)
            #expect(late == .ignore)
        }
    }

    @Test(arguments: [.credit(1, 1), .end(1), .cancel(3), .credit(1, 3), .end(3)] as [Frame])
    func aFloodFromOneCallEndsTheConnection(_ frame: Frame) {
        var machine = Self.machine()
        machine.openStream(1)
        machine.open(3)
        _ = machine.callEnded(3)
        var count = 0
        while count < 20, machine.frameReceived(frame) != Self.end(.controlFrames, after: 3) { count += 1 }
        #expect(count == 2 * 3 + 3, "the charge of two calls, and the limit")
    }

    // MARK: Pongs

    @Test func onePongIsQueued() {
        var machine = ServerConnectionStateMachine()
        machine.sayHello(initialCredit: 0)
        let first = machine.frameReceived(.ping)
        let second = machine.frameReceived(.ping)
        machine.pongSent()
        let third = machine.frameReceived(.ping)
        #expect(first == .sendPong)
        #expect(second == .ignore, "the one before has not left yet")
        #expect(third == .sendPong)
    }
}
