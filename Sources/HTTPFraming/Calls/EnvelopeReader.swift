package import NIOCore
package import RPCCore

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
        if prefix == nil { prefix = try readPrefix() }
        guard let (isCompressed, byteCount) = prefix, let message = bytes.readSlice(length: byteCount) else {
            bytes.releaseUnusedStorage()
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
        guard length <= maximumByteCount else { throw .requestTooLarge(Int(length), maximum: maximumByteCount, codec) }
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
