package import NIOCore

/// Cuts a byte stream into frames, without copying and without trusting a length.
///
/// A frame over the limit ends nothing but its own call: it comes out as `oversized` as soon as its header is there,
/// and its data is thrown away as it arrives. Only where framing itself is lost does `next(from:)` throw.
package struct FrameDecoder: Sendable {
    /// The protocol's own limit for a frame's data, 4 MiB. (PROTOCOL.md, "Data Length")
    package static let protocolMaximum = 4 * 1024 * 1024
    /// From here on a length is not a length: the first byte of the frame is not 0, and the peer speaks something
    /// else. A false length can so swallow 16 MiB at most.
    package static let plausibleMaximum = 1 << 24

    /// The first bytes of a long frame's data, by which it is judged.
    package static let beginningLength = 1024

    package enum Output: Sendable, Hashable {
        case frame(Frame)
        /// The data is longer than `maximum` and is skipped; only the header is here.
        case oversized(FrameHeader, maximum: Int)
    }

    /// The largest data that is taken in, in bytes.
    package let maximumDataLength: Int
    private let maximumUnnamedLength: Int
    private var bytesToSkip = 0
    /// The frame that is being received was found to be one that may be longer than `maximumUnnamedLength`.
    private var isLongFrameAllowed = false

    /// - Parameters:
    ///   - maximumDataLength: The largest data that is taken in, in bytes.
    ///   - maximumUnnamedLength: The largest data that is taken in without a look at its beginning.
    package init(
        maximumDataLength: Int = FrameDecoder.protocolMaximum,
        maximumUnnamedLength: Int = .max
    ) {
        self.maximumDataLength = min(maximumDataLength, FrameDecoder.plausibleMaximum - 1)
        self.maximumUnnamedLength = maximumUnnamedLength
    }

    /// Whether the bytes so far end in the middle of something.
    ///
    /// - Parameter buffer: What `next(from:)` left over.
    /// - Returns: true inside a header, a frame, or data that is being skipped.
    package func isInsideFrame(_ buffer: ByteBuffer) -> Bool {
        bytesToSkip > 0 || buffer.readableBytes > 0
    }

    /// Takes the next frame off the front of `buffer`.
    ///
    /// - Parameters:
    ///   - buffer: What has arrived and was not taken yet.
    ///   - lengthLimit: How long the data of a frame may be that has this header and these first bytes, `beginningLength`
    ///     of them. Asked once for each frame above `maximumUnnamedLength`, before more of it is kept.
    /// - Returns: nil until more bytes are there.
    /// - Throws: `ConnectionError.notThisProtocol`: no frame starts like this, close the connection.
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
        guard let first: UInt8 = buffer.getInteger(at: start) else { return nil }
        guard first == 0 else { throw .notThisProtocol(Stranger(firstBytes: buffer.readableBytesView)) }
        guard
            let (length, id, type, flags) = buffer.peekMultipleIntegers(
                as: (UInt32, UInt32, UInt8, UInt8).self
            )
        else { return nil }
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

    private mutating func skip(_ header: FrameHeader, maximum: Int, in buffer: inout ByteBuffer) -> Output {
        buffer.moveReaderIndex(forwardBy: FrameHeader.byteCount)
        bytesToSkip = Int(header.length)
        return .oversized(header, maximum: maximum)
    }
}
