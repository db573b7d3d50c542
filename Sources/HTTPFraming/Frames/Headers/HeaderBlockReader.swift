internal import NIOCore
package import NIOHPACK
internal import RPCCore

/// The headers of a request, or the trailers.
package struct HeaderList: Sendable {
    package let headers: HPACKHeaders
    /// Whether they are larger than the announced size. Only their own stream ends for it.
    package let areTooLarge: Bool
}

/// The decoder of a connection's header blocks, whose parts it puts together (RFC 9113, section 4.3).
struct HeaderBlockReader {
    /// The number of CONTINUATION frames that headers may take. Even the longest need two. (CVE-2024-27316)
    private static let maximumContinuations = 5
    /// Headers are decoded up to this multiple of the announced size, which many clients do not look at. What follows on other
    /// streams needs the table as it is after them.
    private static let decodedFactor = 4
    /// The name of a header that has none. No header may have this name either.
    private static let noName = " "

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

    /// - Parameter maximumListByteCount: The announced maximum size of headers, as RFC 9113, section 6.5.2, counts it.
    init(maximumListByteCount: Int) {
        self.maximumListByteCount = maximumListByteCount
        decoder.maxHeaderListSize = Self.decodedFactor * maximumListByteCount
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
        guard partial.block.readableBytes <= 2 * decoder.maxHeaderListSize else { throw .headersTooLarge }
        if isLast { return (partial.block, partial.isEnd) }
        self.partial = partial
        return nil
    }

    /// The bytes of memory that headers take which are not complete.
    var storageByteCount: Int { partial?.block.storageCapacity ?? 0 }

    // MARK: Blocks

    /// Decodes a whole block. All blocks have to be decoded in their order, because they change the table.
    mutating func decode(_ block: ByteBuffer) throws(ConnectionFault) -> HeaderList {
        let headers = try decodedHeaders(of: block)
        let byteCount = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + Self.entryByteCount }
        return HeaderList(headers: headers, areTooLarge: byteCount > maximumListByteCount)
    }

    /// The bytes that a header counts for beside its texts (RFC 9113, section 6.5.2).
    private static let entryByteCount = 32

    private mutating func decodedHeaders(of block: ByteBuffer) throws(ConnectionFault) -> HPACKHeaders {
        var rest = block.mayHaveEmptyNames ? withNames(block) : block
        do {
            return try decoder.decodeHeaders(from: &rest)
        } catch is NIOHPACKErrors.MaxHeaderListSizeViolation {
            throw .headersTooLarge
        } catch {
            throw .broken(.compressionError, "headers are not encoded with HPACK")
        }
    }

    /// Returns a block in which the headers without a name have one that no request may have. NIOHPACK refuses an empty name,
    /// and with it the rest of the block; but only the request is malformed.
    private func withNames(_ block: ByteBuffer) -> ByteBuffer {
        var named = ByteBuffer()
        block.forEachField { field, value in
            guard let value else {
                named.writeBytes(field)
                return
            }
            guard field[0] & 0x40 != 0 else {
                named.writeInteger(field[0])
                named.writeHPACKString(Self.noName)
                named.writeBytes(value)
                return
            }
            // It is added to the table, where it has to take the bytes that it takes in the peer's. If it cannot, the decoder
            // refuses the block.
            guard let text = Self.text(of: value)?.utf8, !text.isEmpty, text.allSatisfy({ $0 < 0x80 }) else {
                named.writeBytes(field)
                return
            }
            named.writeInteger(field[0])
            named.writeHPACKString(Self.noName)
            named.writeHPACKString(String(decoding: text.dropFirst(), as: UTF8.self))
        }
        return named
    }

    /// Returns the text of an encoded string; nil if it is malformed.
    private static func text(of value: UnsafeRawBufferPointer) -> String? {
        // As the value of a header that is not added to the table.
        var block = ByteBuffer(bytes: [0x00, 0x01, 0x78])
        block.writeBytes(value)
        var decoder = newDecoder
        return try? decoder.decodeHeaders(from: &block).first?.value
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
    /// Whether a header block may have a header whose name is an empty text: the bytes with which one begins are in it.
    fileprivate var mayHaveEmptyNames: Bool {
        withUnsafeReadableBytes { bytes in
            bytes.indices.dropFirst().contains { index in
                (bytes[index] == 0 || bytes[index] == 0x80)
                    && (bytes[index - 1] == 0 || bytes[index - 1] == 0x10 || bytes[index - 1] == 0x40)
            }
        }
    }

    /// Calls a function with each field of a header block, which need not be well-formed; and with the encoded value of those
    /// whose name is an empty text.
    fileprivate func forEachField(_ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer?) -> Void) {
        withUnsafeReadableBytes { bytes in
            var index = 0
            while index < bytes.count {
                let start = index
                var value: UnsafeRawBufferPointer?
                let first = bytes[index]
                switch first {
                case 0x80...: Self.skipInteger(prefix: 0x7F, of: bytes, at: &index)
                case 0x20..<0x40: Self.skipInteger(prefix: 0x1F, of: bytes, at: &index)
                default:
                    let nameIndex = Self.skipInteger(prefix: first < 0x20 ? 0xF : 0x3F, of: bytes, at: &index)
                    let isNameEmpty = nameIndex == 0 && Self.skipString(of: bytes, at: &index) == 0
                    let valueStart = index
                    Self.skipString(of: bytes, at: &index)
                    if isNameEmpty { value = UnsafeRawBufferPointer(rebasing: bytes[valueStart..<index]) }
                }
                body(UnsafeRawBufferPointer(rebasing: bytes[start..<index]), value)
            }
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

    /// Skips a string (RFC 7541, section 5.2).
    ///
    /// - Returns: Its length in bytes.
    @discardableResult
    private static func skipString(of bytes: UnsafeRawBufferPointer, at index: inout Int) -> Int {
        let length = skipInteger(prefix: 0x7F, of: bytes, at: &index)
        index += min(length, bytes.count - index)
        return length
    }
}
