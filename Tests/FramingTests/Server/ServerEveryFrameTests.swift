import Framing
import NIOCore
import RPCCore
import Testing

/// Every state, every frame type, every combination of flags, every kind of stream id.
@Suite struct ServerEveryFrameTests {
    typealias OnFrame = ServerConnectionStateMachine.OnFrame

    /// Even, never opened, ended, open, open stream, new, the last of all, the connection's.
    static let ids: [StreamID] = [0, 2, 6, 8, 1, 3, 5, 7, 9, 0xFFFF_FFFD, 0xFFFF_FFFF]

    @Test(arguments: ServerScene.allCases)
    func everyFrameHasItsMeaning(in scene: ServerScene) {
        for type in UInt8.min...UInt8.max {
            // Only the extensions and Data look at how long their data is.
            for length in (0x10...0x15).contains(type) || type == 0x03 ? [0, 3, 4, 8] : [0] {
                for flags in UInt8(0)...7 {
                    var frame = frame(type, flags, length)
                    for id in Self.ids {
                        frame.header.streamID = id
                        check(frame, in: scene)
                    }
                }
            }
        }
    }

    private func frame(_ type: UInt8, _ flags: UInt8 = 1, _ length: Int = 4) -> Frame {
        let data = ByteBuffer(repeating: 1, count: length)
        return Frame(FrameType(rawValue: type), on: 0, flags: FrameFlags(rawValue: flags), data: data)
    }

    private func check(_ frame: Frame, in scene: ServerScene) {
        var machine = scene.machine()
        let action = machine.frameReceived(frame)
        let expected = expectedAction(frame.header, in: scene)
        // `#expect` would take minutes over so many rows.
        if action != expected { Issue.record("\(frame.header) in \(scene): \(action), not \(expected)") }
    }

    /// The documented meaning, written down once more as a table.
    private func expectedAction(_ header: FrameHeader, in scene: ServerScene) -> OnFrame {
        let id = header.streamID
        let isRunning = scene.isRunning(id)
        if scene == .closed { return .ignore }
        switch header.type.rawValue {
        case 0x01:
            if id.rawValue % 2 == 0 { return .refuse(id, .evenStreamID) }
            if id <= scene.lastStreamID { return .refuse(id, .reusedStreamID) }
            if id == .connection { return .refuse(id, .reservedStreamID) }
            if scene == .draining { return .refuse(id, .draining) }
            return .startCall(id, wantsStream: header.flags.rawValue & 0b11 != 0)
        case 0x03:
            if id.rawValue % 2 == 0 { return .refuse(id, .evenStreamID) }
            if isRunning {
                let isHalfClose = header.flags.rawValue & 0b100 != 0 && header.length == 0
                return isHalfClose ? .done : .failCall(id, .unexpectedData)
            }
            return scene.isLate(id) ? .ignore : .refuse(id, .inactiveStream)
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

    @Test(arguments: ServerScene.allCases)
    func everyOversizedFrameHasItsMeaning(in scene: ServerScene) {
        for type in UInt8.min...UInt8.max {
            for id in Self.ids {
                let header = FrameHeader.oversized(FrameType(rawValue: type), on: id)
                var machine = scene.machine()
                let action = machine.oversizedFrameReceived(header, maximum: 1_000)
                let expected = expectedActionOnOversized(header, in: scene)
                if action != expected { Issue.record("\(header) in \(scene): \(action), not \(expected)") }
            }
        }
    }

    private func expectedActionOnOversized(_ header: FrameHeader, in scene: ServerScene) -> OnFrame {
        let id = header.streamID
        let tooLarge = Refusal.frameTooLarge(byteCount: 5_000_000, maximum: 1_000)
        if scene == .closed { return .ignore }
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

    /// Whatever arrives, the calls that were open are still there to be ended or told of the connection's end.
    @Test(arguments: ServerScene.allCases)
    func noFrameLosesACall(in scene: ServerScene) {
        for type in UInt8.min...UInt8.max {
            var frame = frame(type)
            for id in Self.ids {
                frame.header.streamID = id
                var machine = scene.machine()
                var open: Set<StreamID> = scene.hasOpenCalls ? [ServerScene.unary, ServerScene.stream] : []
                if case .startCall(let id, _) = machine.frameReceived(frame) { open.insert(id) }
                let left = machine.connectionClosed()
                if Set(left) != open { Issue.record("type \(type) on \(id) in \(scene): \(left), not \(open)") }
            }
        }
    }
}
