internal import NIOCore
internal import RPCCore

/// Divides the bytes of a client into frames, after its preface (RFC 9113, sections 3.4 and 4.1).
///
/// An incomplete frame is kept, at most 16 KiB and a header.
struct FrameReader {
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
