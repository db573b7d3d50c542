import Framing
import NIOCore
import RPCCore
import Testing
import WireMessages

@testable import RPCClient

/// Every state of a client's connection, every frame type, every combination of flags, every kind of stream id.
@Suite struct EveryFrameTests {
    /// A state. Stream 1 has ended in each but `fresh`.
    enum Scene: CaseIterable {
        /// Nothing was sent yet.
        case fresh
        /// One call was made and answered.
        case idle
        /// 3 waits for one answer, 5 for a stream.
        case calls
        /// As `calls`, and the server has said GoAway: it finishes both.
        case draining
        case closed

        var open: [StreamID] { self == .calls || self == .draining ? [3, 5] : [] }

        func connection() throws -> ClientFraming {
            var framing = ClientFraming(HelloMessage(version: 1, software: "test"), maximumFrameLength: 100)
            framing.outbound.clear()
            guard self != .fresh else { return framing }
            for kind in [RPCMethod.Kind.unary] + (open.isEmpty ? [] : [.unary, .serverStreaming]) {
                _ = framing.openCall(kind)
            }
            framing.receive(ByteBuffer([.answer(1, "")] + (self == .draining ? [.goAway(last: 5)] : [])))
            while try framing.nextEvent() != nil {}
            if self == .closed { _ = framing.connectionClosed() }
            return framing
        }
    }

    /// The effects of a frame: an event, a frame to send, and the end of a call.
    private struct Effect: Equatable {
        var event = ""
        var sent: UInt8?
        var ended: StreamID?
    }

    @Test(arguments: Scene.allCases) func everyFrameHasItsMeaning(in scene: Scene) throws {
        for type in UInt8.min...UInt8.max {
            // The last one is too long, and its header is enough.
            for length in type == 0x03 || type == 0x12 ? [0, 4, 8, 101] : [0, 101] {
                let isAnswer = type == 0x02 && length == 0
                let data = isAnswer ? Frame.answer(0, "x").data : ByteBuffer(repeating: 1, count: length)
                for flags in UInt8(0)...(type == 0x02 || type == 0x03 ? 7 : 1) {
                    // Even, ended, open, open stream, never opened, the connection's.
                    for id in [0, 2, 1, 3, 5, 7, 0xFFFF_FFFD, 0xFFFF_FFFF] as [StreamID] {
                        let flags = FrameFlags(rawValue: flags)
                        let frame = Frame(FrameType(rawValue: type), on: id, flags: flags, data: data)
                        let (found, expected) = (try effect(of: frame, in: scene), expected(of: frame, in: scene))
                        if found != expected { Issue.record("\(frame.header) in \(scene): \(found), not \(expected)") }
                    }
                }
            }
        }
    }

    private func effect(of frame: Frame, in scene: Scene) throws -> Effect {
        var framing = try scene.connection()
        framing.receive(ByteBuffer([frame]))
        var effect = Effect()
        while let event = try framing.nextEvent() { effect.event += event.name }
        if framing.outbound.readableBytes > 0 { effect.sent = framing.outbound.getInteger(at: 8) }
        let left = framing.connectionClosed()
        effect.ended = scene.open.first { !left.contains($0) }
        return effect
    }

    private func expected(of frame: Frame, in scene: Scene) -> Effect {
        let (header, id) = (frame.header, frame.header.streamID)
        let isOpen = scene.open.contains(id)
        let isTooLong = header.length > 100
        let isLast = header.flags.contains(.remoteClosed)
        switch header.type.rawValue {
        case 0x02 where isOpen: return Effect(event: isTooLong ? "failure" : id == 3 ? "answer" : "last", ended: id)
        case 0x03 where isOpen && (isTooLong || id == 3):
            return Effect(event: "failure", sent: isLast ? nil : FrameType.cancel.rawValue, ended: id)
        case 0x03 where isOpen && header.flags.contains(.noData):
            return isLast ? Effect(event: "end", ended: id) : Effect()
        case 0x03 where isOpen: return Effect(event: isLast ? "last" : "message", ended: isLast ? id : nil)
        case 0x10 where id == .connection && !isTooLong && scene != .closed: return Effect(event: "ready")
        case 0x12 where id == .connection && header.length == 8 && scene != .closed:
            return Effect(sent: FrameType.pong.rawValue)
        // An empty one names 0 as the last call.
        case 0x14 where id == .connection && !isTooLong && scene != .closed:
            return Effect(event: "goAway", ended: scene.open.first)
        default: return Effect()
        }
    }
}

extension ClientConnectionEvent {
    fileprivate var name: String {
        switch self {
        case .ready: "ready"
        case .answer: "answer"
        case .message(_, _, let isLast): isLast ? "last" : "message"
        case .end: "end"
        case .failure: "failure"
        case .goAway: "goAway"
        }
    }
}
