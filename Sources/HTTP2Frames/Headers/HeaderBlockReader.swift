internal import NIOCore
package import NIOHPACK
internal import RPCCore

/// The headers of a request, or the trailers.
package struct HeaderList: Sendable {
    package let headers: HPACKHeaders
    /// A number that tells lists apart: those of one connection with the same number are equal.
    package let number: Int
}

/// The decoder of a connection's header blocks, whose parts it puts together (RFC 9113, section 4.3).
///
/// Clients send the same headers with most calls, and then the same bytes: references to the table that both sides keep. A
/// block that changed nothing in the table means the same as long as no other block changes the table, so the last such block
/// is compared, which takes a hundredth of the time of decoding it.
struct HeaderBlockReader {
    /// The number of CONTINUATION frames that headers may take. Even the longest need two. (CVE-2024-27316)
    private static let maximumContinuations = 5
    /// The maximum size of a block that is kept, in bytes.
    private static let maximumKeptByteCount = 256

    /// A decoder that has read nothing. Copies of it share the static table, which a new one would hold a second time.
    private static let newDecoder = HPACKDecoder(allocator: ByteBufferAllocator())

    /// The headers of a stream that are not complete.
    private struct Partial {
        let stream: StreamID
        let isEnd: Bool
        var block: ByteBuffer
        var continuations = 0
    }

    private var decoder = HeaderBlockReader.newDecoder
    private let maximumListByteCount: Int
    private var partial: Partial?
    private var lastNumber = 0
    /// The last block that changed nothing in the table, and its headers.
    private var kept: (block: ByteBuffer, list: HeaderList)?

    /// - Parameter maximumListByteCount: The maximum size of headers as RFC 9113, section 6.5.2, counts it.
    init(maximumListByteCount: Int) {
        self.maximumListByteCount = maximumListByteCount
        decoder.maxHeaderListSize = maximumListByteCount
    }

    // MARK: Parts

    /// Whether the next frame has to go on with headers that have begun.
    var isInsideBlock: Bool { partial != nil }

    /// Notes the first part of headers that further parts follow.
    mutating func began(_ block: ByteBuffer, on stream: StreamID, isEnd: Bool) {
        // Kept apart from the buffer of the read, which is larger.
        partial = Partial(stream: stream, isEnd: isEnd, block: ByteBuffer(bytes: block.readableBytesView))
    }

    /// Adds a further part.
    ///
    /// - Returns: The whole block, if this was the last part, and whether its HEADERS frame ended the stream.
    mutating func continued(
        _ block: ByteBuffer,
        on stream: StreamID,
        isLast: Bool
    ) throws(ConnectionFault) -> (block: ByteBuffer, isEnd: Bool)? {
        guard var partial, partial.stream == stream else {
            throw .protocolError("CONTINUATION does not follow headers of its stream")
        }
        self.partial = nil
        partial.continuations += 1
        guard partial.continuations <= Self.maximumContinuations else {
            throw .flood("headers have more than \(Self.maximumContinuations) CONTINUATION frames")
        }
        partial.block.writeImmutableBuffer(block)
        // No encoder needs more bytes than that for a list of the permitted size.
        guard partial.block.readableBytes <= 2 * maximumListByteCount else { throw .headersTooLarge }
        if isLast { return (partial.block, partial.isEnd) }
        self.partial = partial
        return nil
    }

    /// The bytes of memory that headers take which are not complete.
    var storageByteCount: Int { partial?.block.storageCapacity ?? 0 }

    // MARK: Blocks

    /// Decodes a whole block. All blocks have to be decoded in their order, because they change the table.
    mutating func decode(_ block: ByteBuffer) throws(ConnectionFault) -> HeaderList {
        if let kept, kept.block == block { return kept.list }
        var rest = block
        let headers: HPACKHeaders
        do {
            headers = try decoder.decodeHeaders(from: &rest)
        } catch is NIOHPACKErrors.MaxHeaderListSizeViolation {
            throw .headersTooLarge
        } catch {
            throw .broken(.compressionError, "headers are not encoded with HPACK")
        }
        lastNumber += 1
        let list = HeaderList(headers: headers, number: lastNumber)
        if !block.changesHeaderTable {
            if block.readableBytes <= Self.maximumKeptByteCount {
                kept = (ByteBuffer(bytes: block.readableBytesView), list)
            }
        } else {
            kept = nil
        }
        return list
    }
}

extension ConnectionFault {
    /// The fault of headers that are too large. It ends the connection, because the table lacks what their rest adds to it.
    fileprivate static let headersTooLarge = ConnectionFault.broken(
        .compressionError,
        "headers are larger than SETTINGS_MAX_HEADER_LIST_SIZE"
    )
}

extension ByteBuffer {
    /// Whether a header block that was decoded has a field that was added to the table, or a change of the table's size
    /// (RFC 7541, section 6).
    fileprivate var changesHeaderTable: Bool {
        withUnsafeReadableBytes { bytes in
            var index = 0
            while index < bytes.count {
                switch bytes[index] {
                case 0x80...: Self.skipInteger(prefix: 0x7F, of: bytes, at: &index)
                case 0x20...: return true
                default:
                    let isNameLiteral = bytes[index] & 0xF == 0
                    Self.skipInteger(prefix: 0xF, of: bytes, at: &index)
                    if isNameLiteral { Self.skipString(of: bytes, at: &index) }
                    Self.skipString(of: bytes, at: &index)
                }
            }
            return false
        }
    }

    /// Skips an integer (RFC 7541, section 5.1).
    ///
    /// - Returns: Its value.
    @discardableResult
    private static func skipInteger(prefix: UInt8, of bytes: UnsafeRawBufferPointer, at index: inout Int) -> Int {
        guard index < bytes.count else { return 0 }
        var value = Int(bytes[index] & prefix)
        index += 1
        guard value == prefix else { return value }
        var shift = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if shift < 28 { value += Int(byte & 0x7F) << shift }
            shift += 7
            if byte & 0x80 == 0 { break }
        }
        return value
    }

    private static func skipString(of bytes: UnsafeRawBufferPointer, at index: inout Int) {
        let length = skipInteger(prefix: 0x7F, of: bytes, at: &index)
        index += min(length, bytes.count - index)
    }
}
