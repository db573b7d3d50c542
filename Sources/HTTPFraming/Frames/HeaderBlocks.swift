internal import NIOCore
package import NIOHPACK
internal import RPCCore

package struct HeaderList: Sendable {
    package let headers: HPACKHeaders
    /// Whether they are larger than the announced size. This ends only their own stream.
    package let areTooLarge: Bool
}

/// Joins and decodes a connection's header blocks (RFC 9113, section 4.3).
struct HeaderBlockReader {
    /// The maximum of CONTINUATION frames for headers (CVE-2024-27316). Even the longest need two.
    private static let maximumContinuations = 5
    /// Headers are decoded up to this multiple of the announced size, which many clients ignore. Later headers on other
    /// streams need the table as it is after them.
    private static let decodedFactor = 4

    /// A new decoder. Copies share its static table, which another decoder would store a second time.
    private static let newDecoder = HPACKDecoder(allocator: ByteBufferAllocator())

    private struct Partial {
        let stream: StreamID
        let endStream: Bool
        var block: ByteBuffer
        var continuations = 0
    }

    private var decoder = HeaderBlockReader.newDecoder
    private let maximumListByteCount: Int
    private var partial: Partial?

    /// - Parameter maximumListByteCount: The announced maximum size of headers, as counted in RFC 9113, section 6.5.2.
    init(maximumListByteCount: Int) {
        self.maximumListByteCount = maximumListByteCount
        decoder.maxHeaderListSize = Self.decodedFactor * maximumListByteCount
    }

    // MARK: Parts

    var isInsideBlock: Bool { partial != nil }

    /// The first part of headers with further parts.
    mutating func began(_ block: ByteBuffer, on stream: StreamID, endStream: Bool) {
        // A copy, because the buffer of the read is larger.
        partial = Partial(stream: stream, endStream: endStream, block: ByteBuffer(bytes: block.readableBytesView))
    }

    /// Adds a further part.
    ///
    /// - Returns: The whole block, if this was the last part, and whether its HEADERS frame ended the stream.
    mutating func continued(
        _ block: ByteBuffer,
        on stream: StreamID,
        isLast: Bool
    ) throws(ConnectionFault) -> (block: ByteBuffer, endStream: Bool)? {
        guard var partial, partial.stream == stream else {
            throw .protocolError("CONTINUATION does not follow headers of its stream")
        }
        self.partial = nil
        partial.continuations += 1
        guard partial.continuations <= Self.maximumContinuations else {
            throw .flood("headers have more than \(Self.maximumContinuations) CONTINUATION frames")
        }
        partial.block.writeImmutableBuffer(block)
        // No encoder needs more bytes for a list of the permitted size.
        guard partial.block.readableBytes <= 2 * decoder.maxHeaderListSize else { throw .headersTooLarge }
        if isLast { return (partial.block, partial.endStream) }
        self.partial = partial
        return nil
    }

    var storageByteCount: Int { partial?.block.storageCapacity ?? 0 }

    // MARK: Blocks

    /// All blocks must be decoded in their order, because they change the table.
    mutating func decode(_ block: ByteBuffer) throws(ConnectionFault) -> HeaderList {
        let headers = try decodedHeaders(of: block)
        let byteCount = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + Self.entryByteCount }
        return HeaderList(headers: headers, areTooLarge: byteCount > maximumListByteCount)
    }

    /// The bytes that a header counts beside its texts (RFC 9113, section 6.5.2).
    private static let entryByteCount = 32

    private mutating func decodedHeaders(of block: ByteBuffer) throws(ConnectionFault) -> HPACKHeaders {
        var rest = block
        do {
            return try decoder.decodeHeaders(from: &rest)
        } catch is NIOHPACKErrors.MaxHeaderListSizeViolation {
            throw .headersTooLarge
        } catch {
            // An empty name too: it is a fault of the request alone, but the library does not read on behind it.
            throw .broken(.compressionError, "invalid HPACK encoding")
        }
    }
}

extension ConnectionFault {
    /// Headers that are too large end the connection, because the table lacks what their rest adds to it.
    fileprivate static let headersTooLarge = ConnectionFault.broken(
        .compressionError,
        "headers are larger than SETTINGS_MAX_HEADER_LIST_SIZE"
    )
}

/// The encoder of a connection's answers (RFC 7541).
///
/// The headers of answers are few and nearly always the same. The first indexable ones are added to the peer's table,
/// and stay there: nothing is ever evicted, so each keeps its place. The others are written as they are. Huffman's code
/// is not used: the texts that it would shorten are sent once.
struct HeaderBlockWriter {
    /// The default size of the table (RFC 9113, section 6.5.2).
    private static let tableByteCount = 4_096
    /// The bytes that each entry counts beside its texts (RFC 7541, section 4.1).
    private static let entryByteCount = 32
    private static let maximumEntries = 32
    /// The entries of the static table, which come before all others.
    private static let staticCount = 61

    /// The headers in the peer's table, in the order of their addition.
    private var entries: [(name: String, value: String)] = []
    private var byteCount = 0
    private var isTableUsed = true
    /// Whether the next block must announce that the table is empty.
    private var owesSizeUpdate = false

    /// The peer's maximum size of the table. If it is below the default, no table is used.
    mutating func tableSizeChanged(to size: UInt32) {
        guard size < Self.tableByteCount, isTableUsed else { return }
        isTableUsed = false
        // Also if nothing was added: some peers wait for it (RFC 9113, section 4.3.1).
        owesSizeUpdate = true
        entries = []
    }

    mutating func write(_ headers: HPACKHeaders, to bytes: inout ByteBuffer) {
        if owesSizeUpdate {
            owesSizeUpdate = false
            bytes.writeHPACKInteger(0, prefix: 5, bits: 0x20)
        }
        for (name, value, indexing) in headers { write(name, value, indexing, to: &bytes) }
    }

    private mutating func write(
        _ name: String,
        _ value: String,
        _ indexing: HPACKIndexing,
        to bytes: inout ByteBuffer
    ) {
        if name == ":status" { return Self.writeStatus(value, to: &bytes) }
        guard isTableUsed, indexing == .indexable else {
            return Self.writeLiteral(name, value, prefix: 4, bits: 0, to: &bytes)
        }
        if let index = entries.firstIndex(where: { $0.value == value && $0.name == name }) {
            // The last addition has the lowest number.
            return bytes.writeHPACKInteger(Self.staticCount + entries.count - index, prefix: 7, bits: 0x80)
        }
        let entryByteCount = name.utf8.count + value.utf8.count + Self.entryByteCount
        guard entries.count < Self.maximumEntries, byteCount + entryByteCount <= Self.tableByteCount else {
            return Self.writeLiteral(name, value, prefix: 4, bits: 0, to: &bytes)
        }
        Self.writeLiteral(name, value, prefix: 6, bits: 0x40, to: &bytes)
        entries.append((name, value))
        byteCount += entryByteCount
    }

    private static func writeStatus(_ value: String, to bytes: inout ByteBuffer) {
        let index: Int? =
            switch value {
            case "200": 8
            case "204": 9
            case "206": 10
            case "304": 11
            case "400": 12
            case "404": 13
            case "500": 14
            default: nil
            }
        if let index {
            bytes.writeHPACKInteger(index, prefix: 7, bits: 0x80)
        } else {
            writeLiteral(":status", value, prefix: 4, bits: 0, to: &bytes)
        }
    }

    /// The static table may have the name, but not the value.
    private static func writeLiteral(
        _ name: String,
        _ value: String,
        prefix: UInt8,
        bits: UInt8,
        to bytes: inout ByteBuffer
    ) {
        let index = staticNames[name] ?? 0
        bytes.writeHPACKInteger(index, prefix: prefix, bits: bits)
        if index == 0 { bytes.writeHPACKString(name) }
        bytes.writeHPACKString(value)
    }

    /// The static table's numbers of names that answers have (RFC 7541, appendix A).
    private static let staticNames: [String: Int] = [
        ":status": 8, "accept-encoding": 16, "access-control-allow-origin": 20, "allow": 22, "cache-control": 24,
        "content-encoding": 26, "content-length": 28, "content-type": 31, "date": 33, "etag": 34, "last-modified": 44,
        "location": 46, "retry-after": 53, "server": 54, "vary": 59, "www-authenticate": 61,
    ]
}

extension ByteBuffer {
    /// Appends an integer (RFC 7541, section 5.1). It has `prefix` bits of the first byte, whose other bits are `bits`.
    mutating func writeHPACKInteger(_ value: Int, prefix: UInt8, bits: UInt8) {
        let maximum = (1 << Int(prefix)) - 1
        guard value >= maximum else {
            writeInteger(bits | UInt8(truncatingIfNeeded: value))
            return
        }
        writeInteger(bits | UInt8(truncatingIfNeeded: maximum))
        var rest = value - maximum
        while rest >= 0x80 {
            writeInteger(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        writeInteger(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a text without Huffman's code (RFC 7541, section 5.2).
    mutating func writeHPACKString(_ text: String) {
        writeHPACKInteger(text.utf8.count, prefix: 7, bits: 0)
        writeString(text)
    }
}
