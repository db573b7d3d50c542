package import NIOCore
package import RPCServer

/// An account of the frames that a server sends: whole, in a possible order, and within the windows of its peer.
///
/// It reads the peer's frames by itself. They widen a window before the server has read them, and a lower initial window
/// does not narrow it here, so a window is at least as wide as for the server.
package struct HTTP2AnswerAccount: AnswerAccount {
    package static let wire = ServerWire.http
    package static let preface = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0")
    package static let maximumMessageByteCount = 40_000
    package static let maximumInboundByteCount = 1 << 20

    package static let limits: PeerLimits = {
        var limits = PeerLimits()
        limits.maximumStreams = 4
        return limits
    }()

    private static let maximumPayloadByteCount = 16_384

    /// One stream, as far as it was answered.
    private struct Stream {
        var isRequested = false
        var hasEnded = false
        var sentByteCount = 0
        var addedWindow = 0
    }

    private var input = ByteBuffer()
    private var prefaceByteCount = 24
    private var streams: [UInt32: Stream] = [:]
    private var connectionWindow = 65_535
    private var largestInitialWindow = 65_535

    package init() {}

    // MARK: The peer

    package mutating func received(_ bytes: ByteBuffer) {
        input.writeImmutableBuffer(bytes)
        if prefaceByteCount > 0, input.readableBytes >= prefaceByteCount {
            input.moveReaderIndex(forwardBy: prefaceByteCount)
            prefaceByteCount = 0
        }
        guard prefaceByteCount == 0 else { return }
        while let frame = HTTP2RawFrame(readingFrom: &input) { received(frame) }
    }

    private mutating func received(_ frame: HTTP2RawFrame) {
        var payload = frame.payload
        switch frame.type {
        case 1: streams[frame.stream, default: Stream()].isRequested = true
        case 4:
            while let (setting, value) = payload.readMultipleIntegers(as: (UInt16, UInt32).self) {
                if setting == 4 { largestInitialWindow = max(largestInitialWindow, Int(value)) }
            }
        case 8:
            let increment = Int((payload.readInteger() as UInt32? ?? 0) & 0x7FFF_FFFF)
            if frame.stream == 0 {
                connectionWindow += increment
            } else {
                streams[frame.stream, default: Stream()].addedWindow += increment
            }
        default: break
        }
    }

    // MARK: The server

    package mutating func breach(in output: ByteBuffer) -> String? {
        var rest = output
        while let frame = HTTP2RawFrame(readingFrom: &rest) {
            if let breach = breach(in: frame) { return breach }
        }
        return rest.readableBytes == 0 ? nil : "the last frame of a turn is not whole"
    }

    private mutating func breach(in frame: HTTP2RawFrame) -> String? {
        let byteCount = frame.payload.readableBytes
        guard byteCount <= Self.maximumPayloadByteCount else { return "a frame has \(byteCount) bytes" }
        var stream = streams[frame.stream, default: Stream()]
        defer { streams[frame.stream] = stream }
        let endStream = frame.flags & 1 != 0
        switch frame.type {
        case 0:
            guard !stream.hasEnded else { return "DATA follows the end of \(frame.stream)" }
            stream.sentByteCount += byteCount
            connectionWindow -= byteCount
            guard stream.sentByteCount <= largestInitialWindow + stream.addedWindow, connectionWindow >= 0 else {
                return "DATA of \(frame.stream) exceeds a window"
            }
            stream.hasEnded = endStream
        case 1:
            guard stream.isRequested else { return "HEADERS of \(frame.stream), which nobody asked for" }
            guard !stream.hasEnded else { return "HEADERS follow the end of \(frame.stream)" }
            stream.hasEnded = endStream
        case 3: stream.hasEnded = true
        default: break
        }
        return nil
    }
}

/// A frame of HTTP/2 as it is on the wire (RFC 9113, section 4.1).
private struct HTTP2RawFrame {
    let type: UInt8
    let flags: UInt8
    let stream: UInt32
    let payload: ByteBuffer

    /// Takes a frame from the beginning of a buffer; nil if it is not whole.
    init?(readingFrom bytes: inout ByteBuffer) {
        var rest = bytes
        guard let (word, flags, stream) = rest.readMultipleIntegers(as: (UInt32, UInt8, UInt32).self),
            let payload = rest.readSlice(length: Int(word >> 8))
        else { return nil }
        self.type = UInt8(truncatingIfNeeded: word)
        self.flags = flags
        self.stream = stream & 0x7FFF_FFFF
        self.payload = payload
        bytes = rest
    }
}

/// No account, for HTTP/1.1: it tells only whether the connection keeps within its memory, and leaves nothing behind.
package struct HTTP1Account: AnswerAccount {
    package static let wire = ServerWire.http
    package static let limits = PeerLimits()
    package static let preface = ByteBuffer()
    package static let maximumMessageByteCount = 40_000
    package static let maximumInboundByteCount = 1 << 20

    package init() {}
    package mutating func received(_ bytes: ByteBuffer) {}
    package mutating func breach(in output: ByteBuffer) -> String? { nil }
}
