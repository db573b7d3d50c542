internal import NIOCore
package import RPCCore

/// The nine bytes before a frame's payload (RFC 9113, section 4.1).
///
///     u24 BE length | u8 type | u8 flags | u32 BE stream
struct FrameHeader {
    static let byteCount = 9

    var length: Int
    var type: FrameType
    var flags: FrameFlags
    var stream: StreamID
}

/// The type of a frame (RFC 9113, section 6).
struct FrameType: RawRepresentable, Equatable {
    let rawValue: UInt8

    static let data = FrameType(rawValue: 0)
    static let headers = FrameType(rawValue: 1)
    static let priority = FrameType(rawValue: 2)
    static let reset = FrameType(rawValue: 3)
    static let settings = FrameType(rawValue: 4)
    static let pushPromise = FrameType(rawValue: 5)
    static let ping = FrameType(rawValue: 6)
    static let goAway = FrameType(rawValue: 7)
    static let windowUpdate = FrameType(rawValue: 8)
    static let continuation = FrameType(rawValue: 9)
}

/// The flags of a frame. Those that its type does not define are ignored (RFC 9113, section 4.1).
struct FrameFlags: OptionSet {
    let rawValue: UInt8

    static let none = FrameFlags([])
    static let endStream = FrameFlags(rawValue: 0x1)
    /// The acknowledgement of SETTINGS or PING.
    static let acknowledgement = FrameFlags(rawValue: 0x1)
    static let endHeaders = FrameFlags(rawValue: 0x4)
    static let padded = FrameFlags(rawValue: 0x8)
    static let priority = FrameFlags(rawValue: 0x20)
}

extension StreamID {
    /// The stream of frames about the connection itself.
    static let connection: StreamID = 0
    /// The highest stream that there can be. A first GOAWAY with it forbids no stream (RFC 9113, section 6.8).
    package static let highest = StreamID(rawValue: .max >> 1)

    /// Whether it is one that a client may open (RFC 9113, section 5.1.1).
    var isOfClient: Bool { rawValue & 1 == 1 }
}

extension ByteBuffer {
    mutating func writeFrameHeader(
        _ type: FrameType,
        _ byteCount: Int,
        flags: FrameFlags = .none,
        on stream: StreamID = .connection
    ) {
        let lengthAndType = UInt32(truncatingIfNeeded: byteCount) << 8 | UInt32(type.rawValue)
        // NIO's function for several integers takes seven times as long.
        write(byteCount: FrameHeader.byteCount) { writer in
            writer.write(lengthAndType)
            writer.write(flags.rawValue)
            writer.write(stream.rawValue)
        }
    }
}
