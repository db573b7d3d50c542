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

/// ttrpc's PROTOCOL.md, "Stream ID": a call's id is odd, and higher than the one before.
extension StreamID {
    /// Frames about the connection itself. The id is odd, so that a plain ttrpc server ignores them.
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

    /// Both flags. A constant, because making it from a list costs more than reading the rest of a header.
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

/// A frame of another length is not that extension.
extension Frame {
    static let pingByteCount: UInt32 = 8
    static let creditByteCount: UInt32 = 4

    /// The content belongs to the sender and is not read.
    package var isPing: Bool {
        header.type == .ping && header.streamID == .connection && header.length == Self.pingByteCount
    }

    /// Nil for another frame.
    var credit: UInt32? {
        guard header.type == .credit, header.length == Self.creditByteCount else { return nil }
        return data.getInteger(at: data.readerIndex)
    }
}

extension MessageWriter {
    package mutating func write(_ header: FrameHeader) {
        let memory = take(FrameHeader.byteCount)
        memory.storeBytes(of: header.length.bigEndian, as: UInt32.self)
        memory.storeBytes(of: header.streamID.rawValue.bigEndian, toByteOffset: 4, as: UInt32.self)
        memory.storeBytes(of: header.type.rawValue, toByteOffset: 8, as: UInt8.self)
        memory.storeBytes(of: header.flags.rawValue, toByteOffset: 9, as: UInt8.self)
    }
}

extension ByteBuffer {
    package mutating func writeFrameHeader(_ header: FrameHeader) {
        writeMultipleIntegers(header.length, header.streamID.rawValue, header.type.rawValue, header.flags.rawValue)
    }

    /// The data has at most the peer's frame limit; the caller checks that.
    package mutating func writeFrame(
        _ type: FrameType,
        on id: StreamID,
        flags: FrameFlags = [],
        data: ByteBuffer = ByteBuffer()
    ) {
        writeFrameHeader(
            FrameHeader(length: UInt32(data.readableBytes), streamID: id, type: type, flags: flags)
        )
        writeImmutableBuffer(data)
    }

    /// Our extension, type 0x15.
    package mutating func writeCreditFrame(_ count: UInt32, on id: StreamID) {
        writeFrameHeader(FrameHeader(length: Frame.creditByteCount, streamID: id, type: .credit, flags: []))
        writeInteger(count)
    }
}

/// Divides a byte stream into frames, without copying and without trusting a length. A frame over the limit ends only
/// its own call: its data is discarded as it arrives. `next(from:)` throws only if the framing itself is lost.
package struct FrameDecoder: Sendable {
    /// 4 MiB (ttrpc's PROTOCOL.md, "Data Length").
    package static let protocolMaximum = 4 * 1024 * 1024
    /// The first invalid length: the first byte of the frame is then not 0, so the peer uses another protocol.
    package static let plausibleMaximum = 1 << 24

    /// A long frame's first bytes, which decide on its length limit.
    package static let beginningLength = 1024

    package enum Output: Sendable, Hashable {
        case frame(Frame)
        /// The data is skipped.
        case oversized(FrameHeader, maximum: Int)
    }

    package let maximumDataLength: Int
    private let maximumUnnamedLength: Int
    private var bytesToSkip = 0
    private var isLongFrameAllowed = false

    /// Lengths are in bytes. Data above `maximumUnnamedLength` needs a look at its first bytes.
    package init(
        maximumDataLength: Int = FrameDecoder.protocolMaximum,
        maximumUnnamedLength: Int = .max
    ) {
        self.maximumDataLength = min(maximumDataLength, FrameDecoder.plausibleMaximum - 1)
        self.maximumUnnamedLength = maximumUnnamedLength
    }

    /// `buffer` has the bytes that `next(from:)` did not take.
    package func isInsideFrame(_ buffer: ByteBuffer) -> Bool {
        bytesToSkip > 0 || buffer.readableBytes > 0
    }

    /// Nil until more bytes have arrived. `lengthLimit` returns the maximum data length for a header and the first
    /// `beginningLength` bytes. It is called once for each frame above `maximumUnnamedLength`, before more of it is
    /// kept.
    ///
    /// Throws `ConnectionError.foreignHTTP` and the like: close the connection.
    package mutating func next(
        from buffer: inout ByteBuffer,
        lengthLimit: (FrameHeader, ByteBuffer) -> Int = { _, _ in .max }
    ) throws(ConnectionError) -> Output? {
        if bytesToSkip > 0 {
            let skipped = min(bytesToSkip, buffer.readableBytes)
            buffer.moveReaderIndex(forwardBy: skipped)
            bytesToSkip -= skipped
            if bytesToSkip > 0 { return nil }
        }
        let start = buffer.readerIndex
        guard
            let (length, id, type, flags) = buffer.peekMultipleIntegers(
                as: (UInt32, UInt32, UInt8, UInt8).self
            )
        else {
            // The first byte alone may show another protocol, and its peer may send fewer than ten bytes.
            if let first: UInt8 = buffer.getInteger(at: start), first != 0 { throw notThisProtocol(buffer) }
            return nil
        }
        guard length < Self.plausibleMaximum else { throw notThisProtocol(buffer) }
        let header = FrameHeader(
            length: length,
            streamID: StreamID(rawValue: id),
            type: FrameType(rawValue: type),
            flags: FrameFlags(rawValue: flags)
        )
        guard length <= maximumDataLength else { return skip(header, maximum: maximumDataLength, in: &buffer) }
        let dataStart = start + FrameHeader.byteCount
        if length > maximumUnnamedLength, !isLongFrameAllowed {
            let byteCount = min(Int(length), Self.beginningLength)
            guard let beginning = buffer.getSlice(at: dataStart, length: byteCount) else { return nil }
            let limit = max(lengthLimit(header, beginning), maximumUnnamedLength)
            guard length <= limit else { return skip(header, maximum: limit, in: &buffer) }
            isLongFrameAllowed = true
        }
        guard let data = buffer.getSlice(at: dataStart, length: Int(length)) else { return nil }
        buffer.moveReaderIndex(to: dataStart + Int(length))
        isLongFrameAllowed = false
        return .frame(Frame(header: header, data: data))
    }

    /// The protocol of a peer whose first byte is not 0, with which every frame begins.
    private func notThisProtocol(_ buffer: ByteBuffer) -> ConnectionError {
        switch buffer.readableBytesView.first {
        // A handshake, and the alert with which a server answers clear text.
        case 0x15, 0x16: .foreignTLS
        case .some(UInt8(ascii: "A")...UInt8(ascii: "Z")): .foreignHTTP
        default: .foreignUnknown
        }
    }

    private mutating func skip(_ header: FrameHeader, maximum: Int, in buffer: inout ByteBuffer) -> Output {
        buffer.moveReaderIndex(forwardBy: FrameHeader.byteCount)
        bytesToSkip = Int(header.length)
        return .oversized(header, maximum: maximum)
    }
}
