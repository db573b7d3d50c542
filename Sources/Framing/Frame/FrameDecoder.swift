package import NIOCore
package import RPCCore

/// A decoder that divides a byte stream into frames, without copying and without trusting a length.
///
/// A frame over the limit ends only its own call. It is returned as `oversized` as soon as its header has arrived, and
/// its data is discarded as it arrives. `next(from:)` throws only if the framing itself is lost.
package struct FrameDecoder: Sendable {
    /// The protocol's own limit for a frame's data, 4 MiB (ttrpc's PROTOCOL.md, "Data Length").
    package static let protocolMaximum = 4 * 1024 * 1024
    /// The first invalid length: the first byte of the frame is then not 0, so the peer uses another protocol. A false
    /// length can discard 16 MiB at most.
    package static let plausibleMaximum = 1 << 24

    /// The bytes at the start of a long frame's data that decide on its length limit.
    package static let beginningLength = 1024

    /// A decoded frame, or the header of one that is too long.
    package enum Output: Sendable, Hashable {
        case frame(Frame)
        /// The data is longer than `maximum` and is skipped; only the header is here.
        case oversized(FrameHeader, maximum: Int)
    }

    package let maximumDataLength: Int
    private let maximumUnnamedLength: Int
    private var bytesToSkip = 0
    /// Whether the current frame may be longer than `maximumUnnamedLength`.
    private var isLongFrameAllowed = false

    /// - Parameters:
    ///   - maximumDataLength: The largest accepted data, in bytes.
    ///   - maximumUnnamedLength: The largest data that is accepted without a look at its first bytes.
    package init(
        maximumDataLength: Int = FrameDecoder.protocolMaximum,
        maximumUnnamedLength: Int = .max
    ) {
        self.maximumDataLength = min(maximumDataLength, FrameDecoder.plausibleMaximum - 1)
        self.maximumUnnamedLength = maximumUnnamedLength
    }

    /// Whether the received bytes end inside a header, a frame, or skipped data. `buffer` has the bytes that
    /// `next(from:)` did not take.
    package func isInsideFrame(_ buffer: ByteBuffer) -> Bool {
        bytesToSkip > 0 || buffer.readableBytes > 0
    }

    /// Takes the next frame off the front of `buffer`; nil until more bytes have arrived. `lengthLimit` returns the
    /// maximum data length of a frame with this header and the first `beginningLength` bytes. It is called once for
    /// each frame above `maximumUnnamedLength`, before more of it is kept.
    ///
    /// - Throws: `ConnectionError.notThisProtocol`: no frame begins with these bytes, close the connection.
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

    private func notThisProtocol(_ buffer: ByteBuffer) -> ConnectionError {
        .notThisProtocol(ForeignProtocol(firstBytes: buffer.readableBytesView))
    }

    private mutating func skip(_ header: FrameHeader, maximum: Int, in buffer: inout ByteBuffer) -> Output {
        buffer.moveReaderIndex(forwardBy: FrameHeader.byteCount)
        bytesToSkip = Int(header.length)
        return .oversized(header, maximum: maximum)
    }
}
