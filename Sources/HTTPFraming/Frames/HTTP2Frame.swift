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

/// The name of a setting (RFC 9113, section 6.5.2).
struct HTTP2SettingName: RawRepresentable, Equatable {
    let rawValue: UInt16

    static let headerTableSize = HTTP2SettingName(rawValue: 1)
    static let enablePush = HTTP2SettingName(rawValue: 2)
    static let maximumConcurrentStreams = HTTP2SettingName(rawValue: 3)
    static let initialWindowSize = HTTP2SettingName(rawValue: 4)
    static let maximumFrameSize = HTTP2SettingName(rawValue: 5)
    static let maximumHeaderListSize = HTTP2SettingName(rawValue: 6)

    static let byteCount = 6
}

extension StreamID {
    /// The stream of frames that concern the whole connection.
    static let control: StreamID = 0
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
        on stream: StreamID = .control
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

/// Divides the bytes of a client into frames, after its preface (RFC 9113, sections 3.4 and 4.1).
///
/// An incomplete frame is kept, at most 16 KiB and a header.
struct HTTP2FrameReader {
    /// The longest accepted payload: the least that a side may announce, and the value without an announcement.
    static let maximumPayloadByteCount = 16_384

    private static let preface: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    private var bytes = ByteBuffer()
    private var isPrefaceRead = false
    /// Whether `bytes` is the buffer of the read, which others may share.
    private var isShared = false

    // MARK: Bytes

    mutating func append(_ more: ByteBuffer) {
        if bytes.readableBytes == 0 {
            bytes = more
            isShared = true
        } else {
            bytes.writeImmutableBuffer(more)
        }
    }

    /// Releases the buffer of the last read, and keeps a copy of the remaining bytes.
    mutating func settle() {
        if bytes.readableBytes == 0 {
            bytes = ByteBuffer()
        } else if isShared || bytes.readerIndex > 0 {
            bytes = ByteBuffer(bytes: bytes.readableBytesView)
        }
        isShared = false
    }

    var isInsideFrame: Bool { bytes.readableBytes > 0 }

    var storageByteCount: Int { bytes.readableBytes == 0 ? 0 : bytes.storageCapacity }

    // MARK: Frames

    mutating func next() throws(ConnectionFault) -> (header: HTTP2FrameHeader, payload: ByteBuffer)? {
        guard try readPreface() else { return nil }
        let start = bytes.readerIndex
        guard
            let (lengthAndType, flags, stream) = bytes.peekMultipleIntegers(as: (UInt32, UInt8, UInt32).self)
        else { return nil }
        let length = Int(lengthAndType >> 8)
        // Before the payload has arrived (section 4.2).
        guard length <= Self.maximumPayloadByteCount else { throw .wrongLength("a frame is longer than 16384 bytes") }
        guard let payload = bytes.getSlice(at: start + HTTP2FrameHeader.byteCount, length: length) else { return nil }
        bytes.moveReaderIndex(to: start + HTTP2FrameHeader.byteCount + length)
        let header = HTTP2FrameHeader(
            length: length,
            type: HTTP2FrameType(rawValue: UInt8(truncatingIfNeeded: lengthAndType)),
            flags: HTTP2FrameFlags(rawValue: flags),
            // The highest bit is reserved, and ignored.
            stream: StreamID(rawValue: stream & StreamID.highest.rawValue)
        )
        return (header, payload)
    }

    /// Takes the preface. Returns whether it was read.
    private mutating func readPreface() throws(ConnectionFault) -> Bool {
        guard !isPrefaceRead else { return true }
        let count = min(bytes.readableBytes, Self.preface.utf8CodeUnitCount)
        let isRight = Self.preface.withUTF8Buffer { preface in
            bytes.readableBytesView.prefix(count).elementsEqual(preface.prefix(count))
        }
        guard isRight else { throw .foreign }
        guard count == Self.preface.utf8CodeUnitCount else { return false }
        bytes.moveReaderIndex(forwardBy: count)
        isPrefaceRead = true
        return true
    }
}

/// The error code of the end of a stream or a connection (RFC 9113, section 7).
package struct HTTP2FaultCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let noError = HTTP2FaultCode(rawValue: 0x0)
    package static let protocolError = HTTP2FaultCode(rawValue: 0x1)
    package static let flowControlError = HTTP2FaultCode(rawValue: 0x3)
    package static let streamClosed = HTTP2FaultCode(rawValue: 0x5)
    package static let frameSizeError = HTTP2FaultCode(rawValue: 0x6)
    package static let refusedStream = HTTP2FaultCode(rawValue: 0x7)
    package static let cancel = HTTP2FaultCode(rawValue: 0x8)
    package static let compressionError = HTTP2FaultCode(rawValue: 0x9)
    package static let enhanceYourCalm = HTTP2FaultCode(rawValue: 0xB)
}

/// A fault of the peer that ends the reading of the connection (RFC 9113, section 5.4.1).
package struct ConnectionFault: Error, Sendable, Hashable {
    package let code: HTTP2FaultCode
    package let event: ServerEvent
    /// The broken rule, for the log of the peer.
    package let message: String

    static func broken(_ code: HTTP2FaultCode, _ message: String) -> ConnectionFault {
        ConnectionFault(code: code, event: .protocolError, message: message)
    }

    static func protocolError(_ message: String) -> ConnectionFault { .broken(.protocolError, message) }

    static func wrongLength(_ message: String) -> ConnectionFault { .broken(.frameSizeError, message) }

    /// More permitted frames than any working client sends.
    static func flood(_ message: String) -> ConnectionFault {
        ConnectionFault(code: .enhanceYourCalm, event: .tooManyControlFrames, message: message)
    }

    static let foreign = ConnectionFault(
        code: .protocolError,
        event: .foreignUnknown,
        message: "the connection does not begin with the HTTP/2 preface"
    )
}
