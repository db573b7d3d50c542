import Framing
import NIOCore
import RPCCore
import Testing

/// Every state, every frame type, every combination of flags, every kind of stream id.
@Suite struct ClientEveryFrameTests {
    typealias OnFrame = ClientConnectionStateMachine.OnFrame

    /// Even, ended, open, open stream, never opened, the connection's.
    static let ids: [StreamID] = [0, 2, 1, 3, 5, 7, 0xFFFF_FFFD, 0xFFFF_FFFF]

    @Test(arguments: ClientScene.allCases)
    func everyFrameHasItsMeaning(in scene: ClientScene) {
        for type in UInt8.min...UInt8.max {
            for length in (0x10...0x15).contains(type) || type == 0x03 ? [0, 4, 8] : [0] {
                let data = ByteBuffer(repeating: 1, count: length)
                for flags in UInt8(0)...7 {
                    for id in Self.ids {
                        let flags = FrameFlags(rawValue: flags)
                        check(Frame(FrameType(rawValue: type), on: id, flags: flags, data: data), in: scene)
                    }
                }
            }
        }
    }

    private func check(_ frame: Frame, in scene: ClientScene) {
        var machine = scene.machine()
        let action = machine.frameReceived(frame)
        let wasOpen = scene.hasOpenCalls
        let left = machine.connectionClosed()
        let expected = expectedAction(frame.header, in: scene)
        if !agree(action, expected) { Issue.record("\(frame.header) in \(scene): \(action), not \(expected)") }
        var open: [StreamID] = wasOpen ? [ClientScene.unary, ClientScene.stream] : []
        switch action {
        case .finishCall(let id), .finishStream(let id), .deliver(let id, isLast: true), .endStream(let id),
            .failCall(let id, _, _):
            open.removeAll { $0 == id }
        case .deliver(_, isLast: false), .readHello, .readGoAway, .sendPong, .ignore:
            break
        }
        if left != open { Issue.record("\(frame.header) in \(scene) leaves \(left), not \(open)") }
    }

    /// The text of a failure is not the table's business.
    private func agree(_ action: OnFrame, _ expected: OnFrame) -> Bool {
        if case .failCall(let id, let error, let isRunning) = action,
            case .failCall(id, let expectedError, isRunning) = expected
        {
            return error.code == expectedError.code
        }
        return action == expected
    }

    private func expectedAction(_ header: FrameHeader, in scene: ClientScene) -> OnFrame {
        let id = header.streamID
        let isUnary = scene.hasOpenCalls && id == ClientScene.unary
        let isStream = scene.hasOpenCalls && id == ClientScene.stream
        if scene == .closed { return .ignore }
        switch header.type.rawValue {
        case 0x02:
            return isUnary ? .finishCall(id) : isStream ? .finishStream(id) : .ignore
        case 0x03:
            if isUnary {
                return .failCall(id, RPCError(.internalError, ""), isRunning: !header.flags.contains(.remoteClosed))
            }
            guard isStream else { return .ignore }
            switch header.flags.rawValue & 0b101 {
            case 0b000: return .deliver(id, isLast: false)
            case 0b001: return .deliver(id, isLast: true)
            case 0b101: return .endStream(id)
            default: return .ignore
            }
        case 0x10:
            return id == .connection ? .readHello : .ignore
        case 0x12:
            return id == .connection && header.length == 8 ? .sendPong : .ignore
        case 0x14:
            return id == .connection ? .readGoAway : .ignore
        default:
            return .ignore
        }
    }

    @Test(arguments: ClientScene.allCases)
    func anOversizedAnswerFailsItsCallOnly(in scene: ClientScene) {
        for type in UInt8.min...UInt8.max {
            for id in Self.ids {
                for flags in [[], .remoteClosed] as [FrameFlags] {
                    var machine = scene.machine()
                    let header = FrameHeader.oversized(FrameType(rawValue: type), on: id, flags: flags)
                    let action = machine.oversizedFrameReceived(header, maximum: 1_000)
                    let isOpen = scene.hasOpenCalls && (id == ClientScene.unary || id == ClientScene.stream)
                    let tooLarge = Refusal.frameTooLarge(byteCount: 5_000_000, maximum: 1_000).error
                    let isRunning = type == 3 && flags.isEmpty
                    let expected: OnFrame =
                        isOpen && (type == 2 || type == 3) ? .failCall(id, tooLarge, isRunning: isRunning) : .ignore
                    if action != expected { Issue.record("\(header) in \(scene): \(action), not \(expected)") }
                }
            }
        }
    }
}
