import Framing
import NIOCore
import RPCCore
import Testing

/// The meaning of each frame (ttrpc's PROTOCOL.md, and our extensions).
@Suite struct FrameRulesTests {
    // MARK: Every frame

    /// Even, skipped, ended, open, open stream, new, the last of all, the connection's.
    static let ids: [StreamID] = [0, 2, 6, 8, 1, 3, 5, 7, 9, 0xFFFF_FFFD, 0xFFFF_FFFF]

    @Test(arguments: RulesScene.allCases)
    func everyFrameHasItsMeaning(in scene: RulesScene) {
        let stage = scene.stage()
        for type in UInt8.min...UInt8.max {
            // Only the extensions and Data look at how long their data is.
            for length in (0x10...0x15).contains(type) || type == 0x03 ? [0, 3, 4, 8] : [0] {
                for flags in Array(UInt8(0)...7) + [0xF8, 0xF9] {
                    let data = ByteBuffer(repeating: 1, count: length)
                    let flags = FrameFlags(rawValue: flags)
                    for id in Self.ids {
                        let frame = Frame(FrameType(rawValue: type), on: id, flags: flags, data: data)
                        var rules = stage.rules
                        let action = rules.received(frame, calls: stage.runner, now: .start)
                        let expected = expectedAction(frame.header, in: scene)
                        // `#expect` would take minutes over so many rows.
                        if action != expected {
                            Issue.record("\(frame.header) in \(scene): \(action), not \(expected)")
                        }
                    }
                }
            }
        }
    }

    /// The documented meaning, written down once more as a table.
    private func expectedAction(_ header: FrameHeader, in scene: RulesScene) -> FrameRules.Action {
        let id = header.streamID
        let isRunning = scene.isRunning(id)
        switch header.type.rawValue {
        case 0x01:
            if id.rawValue % 2 == 0 { return .refuse(id, .evenStreamID) }
            if id <= scene.lastStreamID { return .refuse(id, .reusedStreamID) }
            if id == .connection { return .refuse(id, .reservedStreamID) }
            if scene == .draining { return .refuse(id, .draining) }
            return .startCall(id, wantsStream: header.flags.rawValue & 0b11 != 0)
        case 0x03:
            if id.rawValue % 2 == 0 { return .refuse(id, .evenStreamID) }
            guard isRunning else { return id <= scene.lastStreamID ? .ignore : .refuse(id, .inactiveStream) }
            let isHalfClose = header.flags.rawValue & 0b100 != 0 && header.length == 0
            return isHalfClose ? .done : .failCall(id, .unexpectedData)
        case 0x10:
            return scene == .fresh && id == .connection ? .readHello : .ignore
        case 0x11:
            return scene.speaksExtensions && isRunning ? .stopCall(id) : .ignore
        case 0x12:
            return scene.speaksExtensions && id == .connection && header.length == 8 ? .sendPong : .ignore
        case 0x15:
            return scene.speaksExtensions && isRunning && header.length == 4 ? .grantCredit(id, 0x0101_0101) : .ignore
        default:
            return .ignore
        }
    }

    @Test(arguments: RulesScene.allCases)
    func everyOversizedFrameHasItsMeaning(in scene: RulesScene) {
        let stage = scene.stage()
        for type in UInt8.min...UInt8.max {
            for id in Self.ids {
                let header = FrameHeader.oversized(FrameType(rawValue: type), on: id)
                var rules = stage.rules
                let action = rules.receivedOversized(header, maximum: 1_000, calls: stage.runner, now: .start)
                let expected = expectedActionOnOversized(header, in: scene)
                if action != expected { Issue.record("\(header) in \(scene): \(action), not \(expected)") }
            }
        }
    }

    private func expectedActionOnOversized(_ header: FrameHeader, in scene: RulesScene) -> FrameRules.Action {
        let id = header.streamID
        let tooLarge = Refusal.frameTooLarge(byteCount: 5_000_000, maximum: 1_000)
        switch header.type.rawValue {
        case 0x01:
            if id.rawValue % 2 == 0 { return .refuse(id, .evenStreamID) }
            if id <= scene.lastStreamID { return .refuse(id, .reusedStreamID) }
            return .refuse(id, id == .connection ? .reservedStreamID : tooLarge)
        case 0x03:
            return scene.isRunning(id) ? .failCall(id, tooLarge) : .ignore
        default:
            return .ignore
        }
    }

    // MARK: Streams

    @Test func the129thCallIsRefusedAndAnEndMakesRoom() {
        let stage = RulesStage()
        for number in 0..<128 { stage.open(Self.id(number)) }
        #expect(stage.receive(.request(257)) == .refuse(257, .streamLimit(128)))
        #expect(stage.receive(.request(257)) == .refuse(257, .reusedStreamID), "a refused stream has used up its id")
        #expect(stage.receive(.data(257)) == .ignore, "it crossed the refusal")
        stage.end(77)
        #expect(stage.receive(.request(259)) == .startCall(259, wantsStream: false))
    }

    enum Stop: CaseIterable {
        case cancelled
        case failed
        /// Its deadline has passed, for example.
        case answered

        func carryOut(on stage: RulesStage) {
            switch self {
            case .cancelled: _ = stage.receive(.cancel(1))
            case .failed: _ = stage.receive(.data(1))
            case .answered: stage.runner.fail(1, Refusal.draining.error)
            }
        }
    }

    /// A call that is over for its peer, and whose work has not stopped yet.
    @Test(arguments: Stop.allCases)
    func aStoppingCallCountsUntilItsWorkHasStopped(_ stop: Stop) {
        var limits = PeerLimits()
        limits.maximumStreams = 1
        let stage = RulesStage(limits, initialCredit: 1)
        stage.openStream(1)
        stop.carryOut(on: stage)
        for frame in [.cancel(1), .credit(1, 1), .data(1), .end(1)] as [Frame] {
            #expect(stage.receive(frame) == .ignore)
        }
        #expect(stage.receiveOversized(.data, on: 1) == .ignore)
        #expect(stage.receive(.request(3)) == .refuse(3, .streamLimit(1)))
        stage.end(1)
        #expect(stage.receive(.request(5)) == .startCall(5, wantsStream: false))
    }

    // MARK: Extensions

    @Test(
        arguments: [
            .request(1), .data(1), .ping, .cancel(1), .credit(1, 1), Frame(FrameType(rawValue: 0x77), on: 1),
            // A Hello, but on a call's stream.
            Frame(.hello, on: 1),
        ] as [Frame]
    )
    func aHelloBehindAnotherFrameIsIgnored(_ first: Frame) {
        let stage = RulesStage()
        _ = stage.receive(first)
        #expect(stage.receive(.hello) == .ignore)
        #expect(stage.receive(.ping) == .ignore, "the peer stays plain")
    }

    @Test(arguments: [true, false])
    func aHelloBehindAnUnreadFrameIsIgnored(_ isHeld: Bool) {
        let stage = RulesStage()
        if isHeld { stage.rules.requestHeld() } else { _ = stage.receiveOversized(.hello, on: .connection) }
        #expect(stage.receive(.hello) == .ignore)
    }

    @Test(
        arguments: [(nil, .unlimited), (0, .unlimited), (1, .messages(1)), (.max, .messages(.max))]
            as [(UInt32?, CallCredit)]
    )
    func streamsBeginWithTheCreditOfTheHello(_ credit: UInt32?, _ initial: CallCredit) {
        let stage = RulesStage(initialCredit: credit)
        _ = stage.receive(.hello)
        #expect(stage.rules.initialCredit == initial, "a second Hello changes nothing")
    }

    @Test func creditOfNothingIsIgnored() {
        let stage = RulesStage(initialCredit: 2)
        stage.openStream(1)
        #expect(stage.receive(.credit(0, 1)) == .ignore)
    }

    @Test func onePongIsQueued() {
        let stage = RulesStage(initialCredit: 0)
        #expect(stage.receive(.ping) == .sendPong)
        #expect(stage.receive(.ping) == .ignore, "the one before has not left yet")
        stage.rules.pongSent()
        #expect(stage.receive(.ping) == .sendPong)
    }

    // MARK: Rates: three of each behavior in 30 seconds, and five glitches

    private static func limited(initialCredit: UInt32? = 2) -> RulesStage {
        var limits = PeerLimits()
        limits.cancels = RateLimit(count: 3, window: .seconds(30))
        limits.faults = RateLimit(count: 3, window: .seconds(30))
        limits.controlFrames = RateLimit(count: 3, window: .seconds(30))
        limits.maximumGlitches = 5
        return RulesStage(limits, initialCredit: initialCredit)
    }

    private static func id(_ number: Int) -> StreamID { StreamID(rawValue: UInt32(number * 2 + 1)) }

    enum Progress: CaseIterable {
        /// The work for its first message is under way.
        case working
        /// Its first message leaves with the end of this turn.
        case messageMade
        /// Others' answers left meanwhile.
        case othersSent
        case messageSent
    }

    /// Bytes that were made are work for nobody, as long as nothing of it was sent (CVE-2023-44487).
    @Test(arguments: Progress.allCases)
    func cancelsOfCallsOfWhichNothingWasSentEndTheConnection(_ progress: Progress) {
        let stage = Self.limited()
        for number in 0...3 {
            let id = Self.id(number)
            stage.openStream(id)
            if progress == .messageMade || progress == .messageSent { stage.makeMessage(on: id) }
            if progress == .othersSent || progress == .messageSent { stage.runner.turnEnded(now: .start) }
            let cancel = stage.receive(.cancel(id))
            #expect(
                cancel == (number < 3 || progress == .messageSent ? .stopCall(id) : .endConnection(.tooManyCancels(3)))
            )
            stage.end(id)
        }
    }

    @Test func cancelsSpreadOverTimeAreFine() {
        let stage = Self.limited()
        for number in 0..<20 {
            let time = NIODeadline.start + .seconds(Int64(number * 10))
            _ = stage.receive(.request(Self.id(number)), at: time)
            #expect(stage.receive(.cancel(Self.id(number)), at: time) == .stopCall(Self.id(number)))
            stage.end(Self.id(number))
        }
    }

    /// Clients cancel the calls whose deadlines pass, all at once if the server is late.
    @Test func cancelsOfCallsThatAreNotNewAreFine() {
        let stage = Self.limited()
        for number in 0..<20 {
            stage.open(Self.id(number))
            #expect(
                stage.receive(.cancel(Self.id(number)), at: .start + .milliseconds(10)) == .stopCall(Self.id(number))
            )
            stage.end(Self.id(number))
        }
    }

    @Test func aWithdrawnRequestCountsAsACancel() {
        let stage = Self.limited()
        for _ in 0..<3 {
            let action = stage.rules.requestWithdrawn(now: .start)
            #expect(action == .done)
        }
        let fourth = stage.rules.requestWithdrawn(now: .start)
        #expect(fourth == .endConnection(.tooManyCancels(3)))
    }

    static let faults: [(String, Frame)] = [
        ("an even id", .request(4)),
        ("a reused id", .request(1)),
        ("the connection's id", .request(.connection)),
        ("data on an even id", .data(2)),
        ("data on no call", .data(99)),
    ]

    /// CVE-2025-8671.
    @Test(arguments: faults)
    func faultsEndTheConnection(_ fault: String, _ frame: Frame) {
        let stage = Self.limited()
        stage.open(1)
        for _ in 0..<3 {
            guard case .refuse = stage.receive(frame) else {
                Issue.record("\(fault) was not refused")
                return
            }
        }
        #expect(stage.receive(frame) == .endConnection(.tooManyFaults(3)))
    }

    @Test(arguments: faults)
    func faultsThatNoWorkingClientMakesAreCountedForLife(_ fault: String, _ frame: Frame) {
        let stage = Self.limited()
        stage.open(1)
        for minute in Int64(0)..<5 {
            guard case .refuse = stage.receive(frame, at: .seconds(minute * 60)) else {
                Issue.record("\(fault) was not refused")
                return
            }
        }
        #expect(stage.receive(frame, at: .seconds(3600)) == .endConnection(.tooManyGlitches(5)))
    }

    @Test func oversizedRequestsAreFaults() {
        let stage = Self.limited()
        for number in 0..<3 { _ = stage.receiveOversized(.request, on: Self.id(number)) }
        #expect(stage.receiveOversized(.request, on: 7) == .endConnection(.tooManyFaults(3)))
    }

    @Test func dataOnACallIsAFaultButNoGlitch() {
        let stage = Self.limited()
        for number in 0..<20 {
            stage.open(Self.id(number))
            #expect(
                stage.receive(.data(Self.id(number)), at: .seconds(Int64(number * 10)))
                    == .failCall(Self.id(number), .unexpectedData)
            )
            stage.end(Self.id(number))
        }
    }

    @Test func requestsThatAreNotMessagesEndTheConnection() {
        let stage = Self.limited()
        for _ in 0..<3 {
            let error = stage.rules.requestFaulted(now: .start)
            #expect(error == nil)
        }
        let fourth = stage.rules.requestFaulted(now: .start)
        #expect(fourth == .tooManyFaults(3))
    }

    @Test func callsAboveTheStreamLimitAreNotFaults() {
        var limits = PeerLimits()
        limits.maximumStreams = 1
        limits.faults = RateLimit(count: 0, window: .seconds(30))
        let stage = RulesStage(limits)
        stage.open(1)
        for number in 1..<1_000 {
            #expect(stage.receive(.request(Self.id(number))) == .refuse(Self.id(number), .streamLimit(1)))
        }
    }

    /// CVE-2019-9512 and CVE-2019-9515.
    @Test(
        arguments: [
            .ping, .hello, .pong, .goAway, .response(1), .cancel(1), .credit(1, 1), .credit(0, 3),
            Frame(FrameType(rawValue: 0x77), on: 5), Frame(.ping, on: .connection), Frame(.credit, on: 1),
        ] as [Frame]
    )
    func framesWithoutEffectEndTheConnection(_ frame: Frame) {
        let stage = Self.limited()
        for _ in 0..<3 {
            let action = stage.receive(frame)
            stage.rules.pongSent()
            #expect(action == (frame == .ping ? .sendPong : .ignore))
        }
        #expect(stage.receive(frame) == .endConnection(.tooManyControlFrames(3)))
        #expect(stage.receive(.ping, at: .seconds(31)) == .sendPong, "the next 30 seconds have begun")
    }

    @Test func aPlainPeersExtensionsAreUnknownFrames() {
        let stage = Self.limited(initialCredit: nil)
        stage.open(1)
        for frame in [.cancel(1), .credit(1, 1), .ping] as [Frame] { _ = stage.receive(frame) }
        #expect(stage.receive(.hello) == .endConnection(.tooManyControlFrames(3)))
    }

    @Test func creditForEachMessageIsFree() {
        let stage = Self.limited()
        for number in 0..<100 {
            let id = Self.id(number)
            stage.openStream(id)
            for _ in 0..<20 {
                stage.rules.messageSent()
                #expect(stage.receive(.credit(1, id)) == .grantCredit(id, 1))
            }
            for _ in 0..<2 { stage.rules.messageSent() }
            stage.end(id)
            for _ in 0..<2 {
                #expect(stage.receive(.credit(1, id)) == .ignore, "it crossed the end")
            }
        }
    }

    @Test func framesOfACallAreFree() {
        let stage = Self.limited()
        for number in 0..<1_000 {
            let id = Self.id(number)
            stage.openStream(id)
            let credit = stage.receive(.credit(5, id))
            let halfClose = stage.receive(.end(id))
            stage.end(id)
            #expect([credit, halfClose, stage.receive(.cancel(id))] == [.grantCredit(id, 5), .done, .ignore])
        }
    }

    @Test(arguments: [.credit(1, 1), .end(1), .cancel(3), .credit(1, 3), .end(3)] as [Frame])
    func aFloodFromOneCallEndsTheConnection(_ frame: Frame) {
        let stage = Self.limited()
        stage.openStream(1)
        stage.open(3)
        stage.end(3)
        var count = 0
        while count < 20, stage.receive(frame) != .endConnection(.tooManyControlFrames(3)) { count += 1 }
        #expect(count == 2 * 3 + 3, "the charge of two calls, and the limit")
    }
}
