package import NIOCore
package import RPCCore

/// The received body of a call's request, and the messages in it.
///
/// Messages leave it decompressed, and in the encoding that methods take.
package struct CallBody: Sendable {
    private enum Content {
        case envelopes(EnvelopeReader)
        case whole(ByteBuffer)
        /// The request has no body: its message was in the head. Received bytes are discarded.
        case none(message: ByteBuffer)
    }

    private let format: CallFormat
    private let isGzip: Bool
    /// Converts messages that are JSON.
    private let decodeJSON: JSONCodec.Conversion?
    /// The maximum size of a message, in bytes, compressed or not.
    private let maximumByteCount: Int
    private var content: Content
    /// The received message, while more may follow.
    private var message: ByteBuffer?

    /// - Throws: UNIMPLEMENTED if the caller sends JSON, and the method's messages have no JSON.
    package init(_ head: CallHead, of method: RPCMethod) throws(RPCError) {
        format = head.format
        isGzip = head.isGzip
        // Base64 has a third more bytes than its message, and JSON has names too.
        maximumByteCount = format.codec == .json ? 2 * method.maximumRequestBytes : method.maximumRequestBytes
        decodeJSON = try format.codec == .json ? method.jsonCodec().decodeRequest : nil
        if let read = head.read {
            content = .none(message: read.message)
        } else if format.takesStream {
            let reader = EnvelopeReader(
                maximumByteCount: maximumByteCount,
                acceptsCompressed: isGzip,
                codec: format.codec,
                faultCode: format.faultCode
            )
            content = .envelopes(reader)
        } else {
            content = .whole(ByteBuffer())
        }
    }

    // MARK: Bytes

    /// Adds bytes of the body of a call that has one request.
    ///
    /// - Throws: RESOURCE_EXHAUSTED for a message that is too large, UNIMPLEMENTED for a second one.
    package mutating func append(_ data: ByteBuffer) throws(RPCError) {
        switch content {
        case .envelopes:
            appendToEnvelopes(data)
            while let next = try nextMessage() {
                guard message == nil else {
                    throw .messageCount("the method takes only one request")
                }
                message = next
            }
        case .whole(var bytes):
            content = .none(message: ByteBuffer())
            guard bytes.readableBytes + data.readableBytes <= maximumByteCount else {
                throw .requestTooLarge(maximum: maximumByteCount, format.codec)
            }
            if bytes.readableBytes == 0 { bytes = data } else { bytes.writeImmutableBuffer(data) }
            bytes.releaseUnusedStorage()
            content = .whole(bytes)
        case .none:
            break
        }
    }

    /// The message of a new body with these bytes, if only its prefix must be removed; otherwise nil. It keeps nothing,
    /// which takes a tenth of the time of `append` and `end`.
    package func onlyMessage(of data: ByteBuffer) -> ByteBuffer? {
        guard case .envelopes = content, decodeJSON == nil, var message = EnvelopeReader.onlyMessage(of: data),
            message.readableBytes <= maximumByteCount
        else { return nil }
        message.releaseUnusedStorage()
        return message
    }

    /// Adds bytes of the body of a call that takes further requests. `nextMessage` then returns them.
    package mutating func appendToEnvelopes(_ data: ByteBuffer) {
        guard case .envelopes(var reader) = content else { return }
        // The reader's buffer must not be shared during the change.
        content = .none(message: ByteBuffer())
        reader.append(data)
        content = .envelopes(reader)
    }

    /// Whether a message, or a part of one, has not left the body.
    package var hasRest: Bool {
        guard case .envelopes(let reader) = content else { return false }
        return !reader.isBetweenMessages
    }

    /// Removes and returns the next message; nil if it is incomplete.
    package mutating func nextMessage() throws(RPCError) -> ByteBuffer? {
        guard case .envelopes(var reader) = content else { return nil }
        content = .none(message: ByteBuffer())
        let next = try reader.next()
        content = .envelopes(reader)
        guard let next else { return nil }
        var message = try decoded(next.bytes, isCompressed: next.isCompressed)
        message.releaseUnusedStorage()
        return message
    }

    /// The only message of a complete body.
    ///
    /// - Throws: UNIMPLEMENTED if the body is empty, INTERNAL (INVALID_ARGUMENT with Connect) if it ends inside the
    ///   message.
    package func end() throws(RPCError) -> ByteBuffer {
        try checkEnd()
        switch content {
        case .envelopes:
            guard let message else { throw .messageCount("the request has no message") }
            return message
        case .whole(let bytes):
            return try wholeMessage(bytes)
        case .none(let message):
            return try wholeMessage(message)
        }
    }

    /// - Throws: An error if the body does not end between two messages.
    package func checkEnd() throws(RPCError) {
        guard case .envelopes(let reader) = content, !reader.isBetweenMessages else { return }
        throw format.malformed("the request ends inside a message")
    }

    /// The missing bytes of the message whose prefix was read; 0 if that is not known.
    package var missingByteCount: Int {
        guard case .envelopes(let reader) = content else { return 0 }
        return reader.missingByteCount
    }

    /// The maximum of bytes that may still arrive before the body is refused or complete.
    package var maximumRestByteCount: Int {
        switch content {
        case .envelopes(let reader): reader.maximumRestByteCount
        case .whole(let bytes): max(0, maximumByteCount - bytes.readableBytes)
        case .none: 0
        }
    }

    package var byteCount: Int {
        let messageByteCount = message?.storageByteCount ?? 0
        return switch content {
        case .envelopes(let reader): reader.byteCount + messageByteCount
        case .whole(let bytes), .none(let bytes): bytes.storageByteCount
        }
    }

    // MARK: Messages

    /// The message of a request without prefixes. No bytes are the default message.
    private func wholeMessage(_ bytes: ByteBuffer) throws(RPCError) -> ByteBuffer {
        guard bytes.readableBytes > 0 || format.codec == .json else { return bytes }
        return try decoded(bytes, isCompressed: isGzip && bytes.readableBytes > 0)
    }

    private func decoded(_ bytes: ByteBuffer, isCompressed: Bool) throws(RPCError) -> ByteBuffer {
        let plain = isCompressed ? try decompressed(bytes) : bytes
        guard let decodeJSON else { return plain }
        return try decodeJSON(plain)
    }

    private func decompressed(_ bytes: ByteBuffer) throws(RPCError) -> ByteBuffer {
        do throws(Gzip.Failure) {
            return ByteBuffer(
                bytes: try Gzip.decompress(Array(bytes.readableBytesView), maximum: maximumByteCount)
            )
        } catch {
            switch error {
            case .malformed: throw format.malformed("a compressed message is not valid gzip")
            case .tooLarge: throw .requestTooLarge(maximum: maximumByteCount, format.codec)
            case .noMemory: throw .outOfMemory
            }
        }
    }
}

extension CallFormat {
    /// The code of the error for a request that breaks the protocol. gRPC and Connect differ.
    fileprivate var faultCode: StatusCode { self == .grpc ? .internalError : .invalidArgument }

    func malformed(_ message: String) -> RPCError { RPCError(faultCode, reason: .requestMalformed, message) }
}

extension RPCError {
    /// In JSON a request may have twice as many bytes.
    package static func requestTooLarge(maximum: Int, _ codec: CallFormat.MessageCodec) -> RPCError {
        requestTooLarge(maximum: maximum, unit: codec == .json ? "bytes of JSON" : "bytes")
    }

    /// The request has another number of messages than its method takes.
    fileprivate static func messageCount(_ message: String) -> RPCError {
        RPCError(.unimplemented, reason: .requestMalformed, message)
    }

    fileprivate static let outOfMemory = RPCError(
        .resourceExhausted,
        reason: .outOfMemory,
        "out of memory while decompressing a message"
    )
}

extension RPCMethod {
    /// The JSON of the method's messages.
    ///
    /// - Throws: UNIMPLEMENTED if they have none.
    func jsonCodec() throws(RPCError) -> JSONCodec {
        guard let json else {
            throw RPCError(
                .unimplemented,
                reason: .jsonUnsupported,
                "\(name) does not support JSON: use application/proto",
                metadata: ["method": name]
            )
        }
        return json
    }
}

/// The request messages of a call, read from the bytes of its body.
///
/// Each message has a prefix: one byte of flags, whose lowest bit means compression, and four with the length
/// (grpc/doc/PROTOCOL-HTTP2.md, "Length-Prefixed-Message"; connectrpc.com/docs/protocol, "Enveloped-Message"). An
/// invalid prefix is refused immediately, whatever follows it.
package struct EnvelopeReader {
    package struct Message {
        package let isCompressed: Bool
        package let bytes: ByteBuffer
    }

    package static let prefixByteCount = 5

    private let maximumByteCount: Int
    private let acceptsCompressed: Bool
    private let codec: CallFormat.MessageCodec
    /// The code of the error for invalid flags, in which gRPC and Connect differ.
    private let faultCode: StatusCode
    private var bytes = ByteBuffer()
    /// The prefix of the incomplete message; nil if the next bytes are a prefix.
    private var prefix: (isCompressed: Bool, byteCount: Int)?

    /// - Parameters:
    ///   - maximumByteCount: The maximum size of a message, in bytes.
    ///   - acceptsCompressed: Whether the call names an encoding, so that messages may be compressed.
    ///   - codec: The encoding of the messages.
    ///   - faultCode: The code of the error for invalid flags.
    package init(
        maximumByteCount: Int,
        acceptsCompressed: Bool,
        codec: CallFormat.MessageCodec = .proto,
        faultCode: StatusCode = .internalError
    ) {
        self.maximumByteCount = maximumByteCount
        self.acceptsCompressed = acceptsCompressed
        self.codec = codec
        self.faultCode = faultCode
    }

    /// The message, if the bytes are one uncompressed message with its prefix; otherwise nil.
    static func onlyMessage(of data: ByteBuffer) -> ByteBuffer? {
        let start = data.readerIndex
        guard let flags: UInt8 = data.getInteger(at: start), flags == 0,
            let length: UInt32 = data.getInteger(at: start + 1), data.readableBytes == prefixByteCount + Int(length)
        else { return nil }
        return data.getSlice(at: start + prefixByteCount, length: Int(length))
    }

    package mutating func append(_ data: ByteBuffer) {
        if bytes.readableBytes == 0 { bytes = data } else { bytes.writeImmutableBuffer(data) }
    }

    /// Removes and returns the next message; nil if it is incomplete.
    ///
    /// - Throws: RESOURCE_EXHAUSTED for a message that is too large, INTERNAL for one that must not be compressed, and
    ///   `faultCode` for invalid flags.
    package mutating func next() throws(RPCError) -> Message? {
        defer { bytes.releaseUnusedStorage() }
        if prefix == nil { prefix = try readPrefix() }
        guard let (isCompressed, byteCount) = prefix, let message = bytes.readSlice(length: byteCount) else {
            return nil
        }
        prefix = nil
        return Message(isCompressed: isCompressed, bytes: message)
    }

    private mutating func readPrefix() throws(RPCError) -> (isCompressed: Bool, byteCount: Int)? {
        guard let (flag, length) = bytes.readMultipleIntegers(as: (UInt8, UInt32).self) else { return nil }
        switch flag {
        case 0: break
        case 1 where acceptsCompressed: break
        case 1:
            throw RPCError(
                .internalError,
                reason: .requestMalformed,
                "a message is compressed, but the call declares no encoding"
            )
        default:
            throw RPCError(
                faultCode,
                reason: .requestMalformed,
                "a message begins with the flags \(flag), which are not 0 or 1",
                metadata: ["flags": "\(flag)"]
            )
        }
        guard length <= maximumByteCount else { throw .requestTooLarge(maximum: maximumByteCount, codec) }
        return (flag == 1, Int(length))
    }

    package var isBetweenMessages: Bool { prefix == nil && bytes.readableBytes == 0 }

    /// The missing bytes of the message whose prefix was read, otherwise 0.
    package var missingByteCount: Int { prefix.map { max(0, $0.byteCount - bytes.readableBytes) } ?? 0 }

    /// The maximum of missing bytes of the current message.
    var maximumRestByteCount: Int {
        prefix == nil ? max(0, Self.prefixByteCount + maximumByteCount - bytes.readableBytes) : missingByteCount
    }

    package var byteCount: Int { bytes.storageByteCount }
}

extension ByteBuffer {
    /// In bytes. Smaller storage is not released.
    private static let minimumStorageByteCount = 1024

    /// The bytes of memory that the buffer keeps; 0 if it has no bytes to read.
    var storageByteCount: Int { readableBytes == 0 ? 0 : storageCapacity }

    /// Moves the remaining bytes to storage of their own if they keep one of more than twice their size. Such storage
    /// also has earlier bytes, or those of other streams that arrived with them.
    mutating func releaseUnusedStorage() {
        guard storageCapacity > max(Self.minimumStorageByteCount, 2 * readableBytes) else { return }
        var own = ByteBuffer()
        // A buffer grows to a power of two.
        own.writeImmutableBuffer(self)
        self = own
    }
}
