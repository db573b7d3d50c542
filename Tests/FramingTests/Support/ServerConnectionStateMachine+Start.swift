import Framing
import NIOCore
import RPCCore

extension NIODeadline {
    /// The start of the connections of these tests.
    static let start = NIODeadline.uptimeNanoseconds(0)

    static func seconds(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }
}

/// Events at the start, for tests in which time plays no part.
extension ServerConnectionStateMachine {
    init(maximumStreams: Int = 128) {
        var limits = PeerLimits()
        limits.maximumStreams = maximumStreams
        self.init(limits: limits, now: .start)
    }

    mutating func frameReceived(_ frame: Frame) -> OnFrame { frameReceived(frame, now: .start) }

    mutating func oversizedFrameReceived(_ header: FrameHeader, maximum: Int) -> OnFrame {
        oversizedFrameReceived(header, maximum: maximum, now: .start)
    }

    mutating func callEnded(_ id: StreamID) -> OnCallEnded { callEnded(id, now: .start) }
}
