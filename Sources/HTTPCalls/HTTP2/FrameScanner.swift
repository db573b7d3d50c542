package import NIOCore

/// The headers of the frames that an HTTP/2 client sends (RFC 9113, section 4.1).
///
/// The library that decodes the frames hands on neither those of unknown types nor those that are not complete. So that
/// they can be counted and timed, this value reads the type and the length of each, and skips the rest.
package struct FrameScanner: Sendable {
    /// The frames in some bytes that were received.
    package struct Found: Sendable, Hashable {
        /// The number of HEADERS frames, which begin calls or end their requests.
        package var headers = 0
        /// The number of control frames that calls and their answers allow: PRIORITY, RST_STREAM, SETTINGS, WINDOW_UPDATE, and
        /// answers to pings.
        package var controlFrames = 0
        /// The number of frames whose type is unknown, which have no effect.
        package var unknown = 0
        /// Whether a frame ended, or the last one of a list of headers.
        package var hasEnd = false
    }

    private enum FrameType {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let ping: UInt8 = 6
        static let continuation: UInt8 = 9
    }

    private enum Flags {
        static let acknowledgement: UInt8 = 0x1
        static let endHeaders: UInt8 = 0x4
    }

    /// The bytes that a client sends before its first frame.
    private static let prefaceByteCount = 24
    /// The length, the type and the flags.
    private static let readByteCount = 5
    private static let streamIDByteCount = 4

    /// The bytes of the current header that were read, and their number.
    private var header: UInt64 = 0
    private var headerByteCount = 0
    /// The bytes to skip: the rest of a frame.
    private var skip = FrameScanner.prefaceByteCount
    private var hasBegun = false
    /// Whether further headers of the list have to follow at once.
    private var isInsideHeaders = false

    package init() {}

    /// Whether a part of a frame, or of a list of headers, has arrived.
    package var isInsideFrame: Bool { hasBegun && (skip > 0 || headerByteCount > 0 || isInsideHeaders) }

    /// Reads bytes in the order of their arrival.
    package mutating func scan(_ bytes: ByteBuffer) -> Found {
        var found = Found()
        bytes.withUnsafeReadableBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                hasBegun = true
                if skip > 0 {
                    let count = min(skip, rest.count)
                    rest = rest.dropFirst(count)
                    skip -= count
                    if skip == 0, !isInsideHeaders { found.hasEnd = true }
                } else {
                    readHeader(rest.removeFirst(), &found)
                }
            }
        }
        return found
    }

    private mutating func readHeader(_ byte: UInt8, _ found: inout Found) {
        header = header << 8 | UInt64(byte)
        headerByteCount += 1
        guard headerByteCount == Self.readByteCount else { return }
        let (type, flags) = (UInt8(truncatingIfNeeded: header >> 8), UInt8(truncatingIfNeeded: header))
        skip = Int(header >> 16) + Self.streamIDByteCount
        (header, headerByteCount) = (0, 0)
        count(type, flags, &found)
    }

    private mutating func count(_ type: UInt8, _ flags: UInt8, _ found: inout Found) {
        isInsideHeaders = false
        switch type {
        case FrameType.data: break
        case FrameType.headers:
            found.headers += 1
            isInsideHeaders = flags & Flags.endHeaders == 0
        case FrameType.continuation: isInsideHeaders = flags & Flags.endHeaders == 0
        case FrameType.ping: if flags & Flags.acknowledgement != 0 { found.controlFrames += 1 }
        case ...FrameType.continuation: found.controlFrames += 1
        default: found.unknown += 1
        }
    }
}
