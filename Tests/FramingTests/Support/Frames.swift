import Framing
import NIOCore
import RPCCore

/// Frames as a client or a server sends them, without the messages that the machines never look into.
extension Frame {
    static func request(_ id: StreamID, _ flags: FrameFlags = []) -> Frame {
        Frame(.request, on: id, flags: flags, data: requestData)
    }

    private static let requestData = ByteBuffer(string: "request")

    static func response(_ id: StreamID) -> Frame { Frame(.response, on: id, data: ByteBuffer(string: "response")) }

    static func data(_ id: StreamID, _ flags: FrameFlags = [], _ text: String = "message") -> Frame {
        Frame(.data, on: id, flags: flags, data: ByteBuffer(string: text))
    }

    /// Makes the frame with which a client ends its requests, and a server a stream.
    static func end(_ id: StreamID) -> Frame { data(id, [.remoteClosed, .noData], "") }

    static let hello = Frame(.hello, on: .connection, data: ByteBuffer(bytes: [0x08, 0x01]))
    static let ping = Frame(.ping, on: .connection, data: ByteBuffer(bytes: [1, 2, 3, 4, 5, 6, 7, 8]))
    static let pong = Frame(.pong, on: .connection, data: ByteBuffer(bytes: [1, 2, 3, 4, 5, 6, 7, 8]))
    static let goAway = Frame(.goAway, on: .connection, data: ByteBuffer(bytes: [0x08, 0x05]))

    static func cancel(_ id: StreamID) -> Frame { Frame(.cancel, on: id) }

    static func credit(_ count: UInt32, _ id: StreamID) -> Frame {
        Frame(.credit, on: id, data: ByteBuffer(integer: count))
    }

    var encoded: ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeFrame(header.type, on: header.streamID, flags: header.flags, data: data)
        return bytes
    }
}

extension FrameHeader {
    /// The header of a frame that is larger than anything its reader takes.
    static func oversized(_ type: FrameType, on id: StreamID, flags: FrameFlags = []) -> FrameHeader {
        FrameHeader(length: 5_000_000, streamID: id, type: type, flags: flags)
    }
}
