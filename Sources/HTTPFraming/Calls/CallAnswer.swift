internal import MarvelDomain
package import NIOCore
package import NIOHPACK
package import RPCCore
internal import WireMessages

/// The form of the answer to a call: the headers and bytes for its messages and its status.
package struct CallAnswer: Sendable {
    /// The end of a call's answer: the whole answer, or its rest.
    package enum End: Sendable {
        /// Trailers; or the only headers, if nothing was sent before.
        case headers(HPACKHeaders)
        case body(ByteBuffer)
        /// Headers and the whole body.
        case whole(HPACKHeaders, ByteBuffer)
    }

    package let format: CallFormat
    /// Whether the call changes nothing: its answer may be withheld, and the call made again.
    package private(set) var isOfRead = false
    private let compresses: Bool
    /// Whether other callers may get the same answer in another encoding.
    private let varies: Bool
    private let origin: OriginHeaders
    /// The GET of the call; nil for a POST.
    private let read: ReadRequest?
    /// The time for which a cache may use the answer to a GET; nil if it is only for its caller.
    private var cacheSeconds: Int?
    /// Converts messages that are sent as JSON.
    private var encodeJSON: JSONCodec.Conversion?

    /// In bytes. Smaller messages are not compressed, because they would hardly become smaller.
    private static let minimumCompressedByteCount = 1024

    package init(to head: CallHead, compresses: Bool) {
        format = head.format
        self.compresses = compresses && head.acceptsGzip
        varies = compresses
        origin = head.origin
        read = head.read
    }

    /// The method decides on caching, and on the JSON of messages.
    package mutating func methodFound(_ method: RPCMethod) throws(RPCError) {
        cacheSeconds = method.cacheSeconds
        isOfRead = method.hasNoSideEffects
        if format.codec == .json { encodeJSON = try method.jsonCodec().encodeResponse }
    }

    // MARK: Streams

    package var head: HPACKHeaders {
        guard format != .grpc || compresses else { return GRPCResponseHeaders.head }
        var headers =
            format == .grpc ? GRPCResponseHeaders.head : [":status": "200", "content-type": format.contentType]
        if compresses { headers.add(name: encodingHeader, value: "gzip") }
        addVary(to: &headers)
        return headers
    }

    private func addVary(to headers: inout HPACKHeaders) {
        switch format {
        case .grpc: break
        case .connectStream: if varies { headers.add(name: "vary", value: "Connect-Accept-Encoding") }
        case .connect: if varies { headers.add(name: "vary", value: "Accept-Encoding") }
        case .picture: break
        }
        origin.add(to: &headers)
    }

    private var encodingHeader: String {
        switch format {
        case .grpc: "grpc-encoding"
        case .connectStream: "connect-content-encoding"
        case .connect, .picture: "content-encoding"
        }
    }

    package var isPlain: Bool { encodeJSON == nil && !compresses }

    /// Appends a message of a stream, as the method encodes it, with its prefix.
    package static func appendEnvelope(of message: any OutgoingMessage, to bytes: inout ByteBuffer) {
        let messageByteCount = message.byteCount
        bytes.write(byteCount: EnvelopeReader.prefixByteCount + messageByteCount) { writer in
            writer.write(0 as UInt8)
            writer.write(UInt32(messageByteCount))
            message.write(to: &writer)
        }
    }

    /// A message of a stream with its prefix, in the caller's form.
    ///
    /// - Throws: INTERNAL if the message has no JSON.
    package func envelope(of message: any OutgoingMessage) throws(RPCError) -> ByteBuffer {
        guard !isPlain else {
            var bytes = ByteBuffer()
            Self.appendEnvelope(of: message, to: &bytes)
            return bytes
        }
        let content = try content(message)
        let compressed = compressed(content)
        return Self.envelope(compressed == nil ? 0 : 1, compressed ?? content)
    }

    private static func envelope(_ flags: UInt8, _ message: ByteBuffer) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(EnvelopeReader.prefixByteCount + message.readableBytes)
        bytes.writeInteger(flags)
        bytes.writeInteger(UInt32(message.readableBytes))
        bytes.writeImmutableBuffer(message)
        return bytes
    }

    /// The flag of the message that ends a stream of Connect.
    private static let endFlag: UInt8 = 2

    package var success: End {
        switch format {
        case .grpc: .headers(GRPCResponseHeaders.success)
        default: .body(Self.envelope(Self.endFlag, ConnectError.endOfStream(nil)))
        }
    }

    // MARK: Single answers

    /// - Throws: INTERNAL if the message has no JSON.
    package func whole(_ message: any OutgoingMessage) throws(RPCError) -> (headers: HPACKHeaders, body: ByteBuffer) {
        var bytes = try content(message)
        if let read, format == .picture {
            var (headers, body) = try PictureRequest.answer(bytes, to: read)
            addVary(to: &headers)
            return (headers, body)
        }
        var headers: HPACKHeaders = [":status": "200", "content-type": format.contentType]
        if let compressed = compressed(bytes) {
            bytes = compressed
            headers.add(name: encodingHeader, value: "gzip")
        }
        headers.add(name: "content-length", value: "\(bytes.readableBytes)")
        if let read { (headers, bytes) = read.answer(bytes, headers, cacheSeconds: cacheSeconds) }
        addVary(to: &headers)
        return (headers, bytes)
    }

    private func content(_ message: any OutgoingMessage) throws(RPCError) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.write(byteCount: message.byteCount) { message.write(to: &$0) }
        guard let encodeJSON else { return bytes }
        guard let json = try? encodeJSON(bytes) else {
            throw RPCError(
                .internalError,
                reason: .serverFault,
                "the answer does not support JSON: use application/proto"
            )
        }
        return json
    }

    private func compressed(_ bytes: ByteBuffer) -> ByteBuffer? {
        guard compresses, bytes.readableBytes >= Self.minimumCompressedByteCount else { return nil }
        return Gzip.compress(Array(bytes.readableBytesView)).map { ByteBuffer(bytes: $0) }
    }

    // MARK: Errors

    /// The end of a call that failed. `hasSentHead` means that the headers were sent before.
    package func failure(_ error: RPCError, hasSentHead: Bool) -> End {
        switch format {
        case .grpc:
            return .headers(hasSentHead ? GRPCResponseHeaders.trailers(error) : GRPCResponseHeaders.trailersOnly(error))
        case .connectStream:
            let end = Self.envelope(Self.endFlag, ConnectError.endOfStream(error))
            return hasSentHead ? .body(end) : .whole(head, end)
        case .connect, .picture:
            return failure(error, status: Self.httpStatus(of: error))
        }
    }

    private static func httpStatus(of error: RPCError) -> Int {
        switch error.reason {
        case .methodUnknown: 404
        case .codecUnsupported: 415
        default: ConnectError.httpStatus(of: error.code)
        }
    }

    /// For a request whose body is not sent, because it would be too large.
    package func contentTooLarge(_ error: RPCError) -> End { failure(error, status: 413) }

    private func failure(_ error: RPCError, status: Int) -> End {
        let answer = PlainAnswer(error, status: status)
        var headers = answer.headers
        // A cache may otherwise keep a 404 or 501 to a GET (RFC 9110, section 15.1).
        if read != nil { headers.add(name: "cache-control", value: "no-store") }
        origin.add(to: &headers)
        return .whole(headers, answer.body)
    }
}

/// The headers and trailers of the answers to gRPC calls (grpc/doc/PROTOCOL-HTTP2.md, "Responses").
package enum GRPCResponseHeaders {
    /// The maximum of the trailers, in bytes: clients end a connection whose headers are too large.
    private static let maximumByteCount = 8 * 1024
    /// The maximum of the error's texts in them. The rest is for the names and the other headers. Each counts 32 bytes
    /// more than it has (RFC 9113, section 6.5.2). Above it the details are left out, and then the end of the message.
    private static let maximumTextByteCount = maximumByteCount - 512

    private static let acceptedEncodings = "identity,gzip"

    package static let head = HPACKHeaders([
        (":status", "200"), ("content-type", "application/grpc"), ("grpc-accept-encoding", acceptedEncodings),
    ])

    package static let success: HPACKHeaders = ["grpc-status": "0"]

    package static func trailers(_ error: RPCError) -> HPACKHeaders {
        var trailers = HPACKHeaders()
        add(error, to: &trailers)
        return trailers
    }

    /// The only headers of a call that failed before its first message.
    package static func trailersOnly(_ error: RPCError) -> HPACKHeaders {
        var headers: HPACKHeaders = [":status": "200", "content-type": "application/grpc"]
        // Clients may use these encodings for their next call (grpc/doc/compression.md).
        if error.code == .unimplemented { headers.add(name: "grpc-accept-encoding", value: acceptedEncodings) }
        add(error, to: &headers)
        return headers
    }

    /// The texts of the status differ from call to call. Indexing them would evict the repeated headers from the peer's
    /// table.
    private static func add(_ error: RPCError, to headers: inout HPACKHeaders) {
        headers.add(name: "grpc-status", value: "\(error.code.rawValue)", indexing: .nonIndexable)
        let message = GRPCStatusMessage.encoded(error.message, maximumByteCount: maximumTextByteCount)
        headers.add(name: "grpc-message", value: message, indexing: .nonIndexable)
        guard !error.details.isEmpty else { return }
        // Without padding, as the protocol requires of senders.
        let details = Base64.encode(error.encodedStatus().readableBytesView, isPadded: false)
        // The details contain the message too, so a truncated message never comes with details.
        guard message.utf8.count + details.utf8.count <= maximumTextByteCount else { return }
        headers.add(name: "grpc-status-details-bin", value: details, indexing: .nonIndexable)
    }
}

/// The text of the `grpc-message` trailer. It is UTF-8 with `%XX` for the percent sign and every byte that is not
/// printable ASCII (grpc/doc/PROTOCOL-HTTP2.md, "Status-Message").
package enum GRPCStatusMessage {
    /// A text in the form of the trailer, truncated to the maximum.
    package static func encoded(_ text: String, maximumByteCount: Int = .max) -> String {
        guard text.utf8.count > maximumByteCount || text.utf8.contains(where: isEscaped) else { return text }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let start = bytes.count
            for byte in UTF8.encode(scalar).map(Array.init) ?? [] {
                if isEscaped(byte) {
                    bytes += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0xF)]
                } else {
                    bytes.append(byte)
                }
            }
            guard bytes.count <= maximumByteCount else {
                bytes.removeSubrange(start...)
                break
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        !(0x20...0x7E).contains(byte) || byte == UInt8(ascii: "%")
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
