import Framing
import NIOCore
import RPCCore
import WireMessages

extension ByteBuffer {
    /// The bytes of frames, one behind the other.
    init(_ frames: [Frame]) {
        self.init()
        for frame in frames {
            writeFrame(frame.header.type, on: frame.header.streamID, flags: frame.header.flags, data: frame.data)
        }
    }
}

extension Frame {
    static func answer(_ id: StreamID, _ payload: String) -> Frame {
        Frame(.response, on: id, data: ResponseEnvelope(payload: ByteBuffer(string: payload)).encoded())
    }

    static func goAway(last: UInt32) -> Frame {
        Frame(.goAway, on: .connection, data: GoAwayMessage(lastStreamID: last, reason: "DRAINING").encoded())
    }
}
