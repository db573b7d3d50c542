internal import MarvelDomain
package import RPCCore
internal import WireMessages

/// The head of a call, from the headers of its request (grpc/doc/PROTOCOL-HTTP2.md, "Requests";
/// connectrpc.com/docs/protocol, "Request-Headers").
package struct CallHead: Sendable {
    package let format: CallFormat
    /// It names the method.
    package let path: String
    package let metadata: Metadata
    /// In the form of `CallDeadline`; 0 without a timeout.
    package let timeoutNanoseconds: Int64
    package let contentLength: Int?
    /// Whether messages, or the body, may be compressed with gzip.
    package let isGzip: Bool
    private let acceptEncoding: String?
    let origin: OriginHeaders
    /// The GET of the call; nil for a POST.
    let read: ReadRequest?
    /// The answer to the call, because a header is malformed or over a limit.
    package let fault: RPCError?

    init(
        _ request: RequestHeaders,
        _ format: CallFormat,
        origin: OriginHeaders = .none,
        read: ReadRequest? = nil,
        fault: RPCError? = nil
    ) {
        self.format = format
        self.origin = origin
        self.read = read
        path =
            switch format {
            // gRPC's paths have no query.
            case .grpc: request.target
            case .connect, .connectStream: request.path
            case .picture: PictureRequest.path
            }
        contentLength = request.check.contentLength
        metadata = request.metadata
        let timeout = format == .grpc ? request.grpcTimeout : request.connectTimeout
        let nanoseconds = timeout.map(format == .grpc ? GRPCTimeout.nanoseconds : ConnectTimeout.nanoseconds)
        timeoutNanoseconds = (nanoseconds ?? 0) ?? 0
        let encoding: String?
        (encoding, acceptEncoding) =
            switch format {
            case .grpc: (request.grpcEncoding, request.grpcAcceptEncoding)
            case .connectStream: (request.connectEncoding, request.connectAcceptEncoding)
            case .connect, .picture: (read.map(\.compression) ?? request.contentEncoding, request.acceptEncoding)
            }
        let coding = ContentCoding(encoding)
        isGzip = coding == .gzip
        self.fault = fault ?? CallHead.fault(request, format, timeout: nanoseconds, coding: coding)
    }

    /// The head of a GET: of a picture, or of a method whose message is in the query.
    init(_ request: RequestHeaders, _ picture: PictureRequest?, origin: OriginHeaders) {
        if let picture {
            self.init(request, .picture, origin: origin, read: ReadRequest(request, picture.message))
        } else {
            let query = CallQuery(request.target)
            let read = ReadRequest(request, query.message, compression: query.compression)
            self.init(request, .connect(query.codec), origin: origin, read: read, fault: query.fault)
        }
    }

    /// Whether only the headers of the answer are wanted, which are those of the answer to GET.
    package var isHead: Bool { read?.isHead == true }

    /// Whether the caller takes answers compressed with gzip. Not stored: few servers compress, and reading it takes as
    /// long as reading all other headers.
    package var acceptsGzip: Bool { Gzip.isAccepted(by: acceptEncoding) }

    private static func fault(
        _ request: RequestHeaders,
        _ format: CallFormat,
        timeout: Int64??,
        coding: ContentCoding?
    ) -> RPCError? {
        guard request.areInLimits else {
            return RPCError(undecodable: .metadataTooLarge(pairs: request.pairCount, bytes: request.byteCount))
        }
        if case .some(nil) = timeout {
            return format.malformed(
                format == .grpc
                    ? "grpc-timeout is malformed: at most eight digits and one of HMSmun"
                    : "Connect-Timeout-Ms is malformed: at most ten digits"
            )
        }
        if format != .grpc, let version = request.connectVersion, version != "1" {
            return format.malformed("Connect-Protocol-Version is not 1")
        }
        guard coding == nil else { return nil }
        return RPCError(
            .unimplemented,
            reason: .encodingUnsupported,
            "unsupported request encoding: use gzip or identity"
        )
    }
}

/// An encoding of a request's messages, or of its body (RFC 9110, section 8.4.1).
private enum ContentCoding {
    case identity
    case gzip

    /// The case of the value has no meaning. Nil if the encoding is not supported.
    init?(_ text: String?) {
        switch text {
        case nil, "gzip", "identity": self = text == "gzip" ? .gzip : .identity
        case let text?:
            switch text.lowercased() {
            case "gzip", "x-gzip": self = .gzip
            case "identity", "": self = .identity
            default: return nil
            }
        }
    }
}

extension MethodPath {
    /// Reads the path of a request: `/service/method`. Nil if it has another form.
    package init?(httpPath: String) {
        // Iterating over bytes: over characters it takes ten times as long.
        let slash = UInt8(ascii: "/")
        let names = httpPath.utf8.dropFirst()
        guard httpPath.utf8.first == slash, let end = names.firstIndex(of: slash) else { return nil }
        let (service, method) = (names[..<end], names[names.index(after: end)...])
        guard !service.isEmpty, !method.isEmpty, !method.contains(slash) else { return nil }
        self.init(service: String(Substring(service)), method: String(Substring(method)))
    }
}

/// The form of calls over HTTP, named by their content type.
package enum CallFormat: Sendable, Hashable {
    /// gRPC: messages with a prefix, the status in the trailers.
    case grpc
    /// Connect's unary calls: the body is one message, and an error is an HTTP status with a body in JSON.
    case connect(MessageCodec)
    /// Connect's streams: messages with a prefix, the last of which has the status.
    case connectStream(MessageCodec)
    case picture

    package enum MessageCodec: Sendable, Hashable {
        case proto
        case json
    }

    /// Ignores the parameters of the content type. Nil for other content types than those of calls.
    package init?(contentType: String) {
        // The hot path: nearly all gRPC clients send this.
        if contentType == "application/grpc" {
            self = .grpc
            return
        }
        switch contentType.prefix(while: { $0 != ";" && $0 != " " }).lowercased() {
        case "application/grpc", "application/grpc+proto": self = .grpc
        case "application/proto": self = .connect(.proto)
        case "application/json": self = .connect(.json)
        case "application/connect+proto": self = .connectStream(.proto)
        case "application/connect+json": self = .connectStream(.json)
        default: return nil
        }
    }

    static let contentTypes =
        "application/grpc, application/grpc+proto, application/json, application/proto, application/connect+json, "
        + "application/connect+proto"

    var contentType: String {
        switch self {
        case .grpc: "application/grpc"
        case .connect(.proto): "application/proto"
        case .connect(.json): "application/json"
        case .connectStream(.proto): "application/connect+proto"
        case .connectStream(.json): "application/connect+json"
        case .picture: "application/octet-stream"
        }
    }

    package var codec: MessageCodec {
        switch self {
        case .grpc, .picture: .proto
        case .connect(let codec), .connectStream(let codec): codec
        }
    }

    package var takesStream: Bool {
        switch self {
        case .grpc, .connectStream: true
        case .connect, .picture: false
        }
    }

    var hasEnvelopes: Bool { takesStream }
}

/// The `grpc-timeout` header: at most eight digits and a unit (grpc/doc/PROTOCOL-HTTP2.md, "Timeout").
package enum GRPCTimeout {
    private static let maximumDigits = 8
    private static let maximumCount: Int64 = 99_999_999

    /// The nanoseconds of a header's value, in the form of `CallDeadline`. Nil if the value is malformed, negative if
    /// the caller had no time left. It is the largest number, which is no limit, if the time is beyond the clock's
    /// range.
    package static func nanoseconds(_ text: String) -> Int64? {
        guard let unit = text.utf8.last, let factor = nanoseconds(perUnit: unit) else { return nil }
        let digits = text.utf8.dropLast()
        guard (1...maximumDigits).contains(digits.count) else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard digit.isDigit else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        guard number > 0 else { return -1 }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }

    private static func nanoseconds(perUnit unit: UInt8) -> Int64? {
        switch unit {
        case UInt8(ascii: "H"): 3_600_000_000_000
        case UInt8(ascii: "M"): 60_000_000_000
        case UInt8(ascii: "S"): 1_000_000_000
        case UInt8(ascii: "m"): 1_000_000
        case UInt8(ascii: "u"): 1_000
        case UInt8(ascii: "n"): 1
        default: nil
        }
    }
}

/// The `Connect-Timeout-Ms` header: at most ten digits (connectrpc.com/docs/protocol, "Timeout").
package enum ConnectTimeout {
    private static let maximumDigits = 10

    /// The nanoseconds of a header's value, in the form of `CallDeadline`. Nil if the value is malformed, negative if
    /// the caller had no time left.
    package static func nanoseconds(_ text: String) -> Int64? {
        guard (1...maximumDigits).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit),
            let milliseconds = Int64(text)
        else { return nil }
        return milliseconds == 0 ? -1 : milliseconds * 1_000_000
    }
}
