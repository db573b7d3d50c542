internal import NIOCore
package import RPCCore

/// The nine bytes before the payload of a frame of HTTP/2 (RFC 9113, section 4.1).
///
///     u24 BE length | u8 type | u8 flags | u32 BE stream
struct HTTP2FrameHeader {
    static let byteCount = 9

    var length: Int
    var type: HTTP2FrameType
    var flags: HTTP2FrameFlags
    var stream: StreamID
}

struct HTTP2FrameType: RawRepresentable, Equatable {
    let rawValue: UInt8

    static let data = HTTP2FrameType(rawValue: 0)
    static let headers = HTTP2FrameType(rawValue: 1)
    static let priority = HTTP2FrameType(rawValue: 2)
    static let reset = HTTP2FrameType(rawValue: 3)
    static let settings = HTTP2FrameType(rawValue: 4)
    static let pushPromise = HTTP2FrameType(rawValue: 5)
    static let ping = HTTP2FrameType(rawValue: 6)
    static let goAway = HTTP2FrameType(rawValue: 7)
    static let windowUpdate = HTTP2FrameType(rawValue: 8)
    static let continuation = HTTP2FrameType(rawValue: 9)
}

/// Flags that a frame's type does not define are ignored (RFC 9113, section 4.1).
struct HTTP2FrameFlags: OptionSet {
    let rawValue: UInt8

    static let none = HTTP2FrameFlags([])
    static let endStream = HTTP2FrameFlags(rawValue: 0x1)
    static let acknowledgement = HTTP2FrameFlags(rawValue: 0x1)
    static let endHeaders = HTTP2FrameFlags(rawValue: 0x4)
    static let padded = HTTP2FrameFlags(rawValue: 0x8)
    static let priority = HTTP2FrameFlags(rawValue: 0x20)
}

extension StreamID {
    static let connection: StreamID = 0
    /// A first GOAWAY with the highest stream forbids no stream (RFC 9113, section 6.8).
    package static let highest = StreamID(rawValue: .max >> 1)

    /// Whether a client may open it (RFC 9113, section 5.1.1).
    var isOfClient: Bool { rawValue & 1 == 1 }
}

extension ByteBuffer {
    mutating func writeFrameHeader(
        _ type: HTTP2FrameType,
        _ byteCount: Int,
        flags: HTTP2FrameFlags = .none,
        on stream: StreamID = .connection
    ) {
        let lengthAndType = UInt32(truncatingIfNeeded: byteCount) << 8 | UInt32(type.rawValue)
        // NIO's function for several integers takes seven times as long.
        write(byteCount: HTTP2FrameHeader.byteCount) { writer in
            writer.write(lengthAndType)
            writer.write(flags.rawValue)
            writer.write(stream.rawValue)
        }
    }
}
