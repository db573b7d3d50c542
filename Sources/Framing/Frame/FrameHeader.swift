package import NIOCore
package import RPCCore

/// The ten bytes before a frame's data (ttrpc's PROTOCOL.md, "Message Frame").
///
///     u32 BE data length | u32 BE stream id | u8 type | u8 flags
package struct FrameHeader: Sendable, Hashable {
    package static let byteCount = 10

    package var length: UInt32
    package var streamID: StreamID
    package var type: FrameType
    package var flags: FrameFlags

    package init(length: UInt32, streamID: StreamID, type: FrameType, flags: FrameFlags) {
        self.length = length
        self.streamID = streamID
        self.type = type
        self.flags = flags
    }
}

/// The rules of ttrpc's PROTOCOL.md, "Stream ID": clients open calls, so a call's id is odd, and higher than the one
/// before.
extension StreamID {
    /// The stream of frames about the connection itself. It is odd, so that a plain ttrpc server ignores them.
    package static let connection = StreamID(rawValue: 0xFFFF_FFFF)

    package var isOdd: Bool { rawValue & 1 == 1 }
}

/// Unknown types are passed on, and ignored later.
package struct FrameType: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    // ttrpc 1.2
    package static let request = FrameType(rawValue: 0x01)
    package static let response = FrameType(rawValue: 0x02)
    package static let data = FrameType(rawValue: 0x03)

    // Our extensions, sent only after Hello
    package static let hello = FrameType(rawValue: 0x10)
    package static let cancel = FrameType(rawValue: 0x11)
    package static let ping = FrameType(rawValue: 0x12)
    package static let pong = FrameType(rawValue: 0x13)
    package static let goAway = FrameType(rawValue: 0x14)
    package static let credit = FrameType(rawValue: 0x15)
}

/// Unknown bits are passed on and ignored.
package struct FrameFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package init() { self.init(rawValue: 0) }

    /// The sender sends nothing more on this stream.
    package static let remoteClosed = FrameFlags(rawValue: 0x01)
    /// The sender will send data on this stream.
    package static let remoteOpen = FrameFlags(rawValue: 0x02)
    /// The frame carries no message, not even an empty one.
    package static let noData = FrameFlags(rawValue: 0x04)

    /// Both flags: the test for a caller that takes part in a stream. It is a constant, because making it from a list
    /// costs more than reading the rest of a header.
    static let remoteClosedOrOpen = FrameFlags(rawValue: 0x03)
}

/// `data.readableBytes` equals the header's length.
package struct Frame: Sendable, Hashable {
    package var header: FrameHeader
    package var data: ByteBuffer

    package init(header: FrameHeader, data: ByteBuffer) {
        self.header = header
        self.data = data
    }

    package init(_ type: FrameType, on id: StreamID, flags: FrameFlags = [], data: ByteBuffer = ByteBuffer()) {
        self.init(
            header: FrameHeader(length: UInt32(data.readableBytes), streamID: id, type: type, flags: flags),
            data: data
        )
    }
}

/// The contents of the frames of extensions. A frame of another length is not that extension.
extension Frame {
    static let pingByteCount: UInt32 = 8
    static let creditByteCount: UInt32 = 4

    /// Whether this requests a Pong. The content belongs to the sender and is not read.
    var isPing: Bool {
        header.type == .ping && header.streamID == .connection && header.length == Self.pingByteCount
    }

    /// The number of messages that a Credit grants; nil for another frame.
    var credit: UInt32? {
        guard header.type == .credit, header.length == Self.creditByteCount else { return nil }
        return data.getInteger(at: data.readerIndex)
    }
}
