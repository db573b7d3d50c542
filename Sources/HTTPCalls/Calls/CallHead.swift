internal import Compression
package import RPCCore

/// The head of a call: what the headers of its request say (grpc/doc/PROTOCOL-HTTP2.md, "Requests";
/// connectrpc.com/docs/protocol, "Request-Headers").
package struct CallHead: Sendable {
    package let format: CallFormat
    /// The path, which names the method. Nil if it has not the form `/service/method`.
    package let path: MethodPath?
    package let metadata: Metadata
    /// The timeout in the form that `CallDeadline` takes; 0 if the caller names none.
    package let timeoutNanoseconds: Int64
    /// Whether messages, or the body, may be compressed with gzip.
    package let isGzip: Bool
    /// The encodings of answers that the caller takes.
    private let acceptEncoding: String?
    /// The origin of the web page that calls, if it is of another server and may read the answer.
    package let origin: String?
    /// The picture that is asked for, if the call is one.
    package let picture: PictureRequest?
    /// The error that the call is answered with, because a header is malformed or over a limit.
    package let fault: RPCError?

    init(_ fields: RequestFields, _ format: CallFormat, origin: String? = nil, picture: PictureRequest? = nil) {
        self.format = format
        self.origin = origin
        self.picture = picture
        path = picture.map { _ in PictureRequest.path } ?? MethodPath(httpPath: fields.path)
        metadata = fields.metadata
        let timeout = format == .grpc ? fields.grpcTimeout : fields.connectTimeout
        let nanoseconds = timeout.map(format == .grpc ? GRPCTimeout.nanoseconds : ConnectTimeout.nanoseconds)
        timeoutNanoseconds = (nanoseconds ?? 0) ?? 0
        let encoding: String?
        (encoding, acceptEncoding) =
            switch format {
            case .grpc: (fields.grpcEncoding, fields.grpcAcceptEncoding)
            case .connectStream: (fields.connectEncoding, fields.connectAcceptEncoding)
            case .connect, .picture: (fields.contentEncoding, fields.acceptEncoding)
            }
        isGzip = encoding == "gzip"
        fault = CallHead.fault(fields, format, timeout: nanoseconds, encoding: encoding)
    }

    /// Whether the caller takes answers that are compressed with gzip. Not stored: few servers compress, and reading it takes
    /// as long as reading all other headers.
    package var acceptsGzip: Bool { Gzip.isAccepted(by: acceptEncoding) }

    private static func fault(
        _ fields: RequestFields,
        _ format: CallFormat,
        timeout: Int64??,
        encoding: String?
    ) -> RPCError? {
        guard fields.areInLimits else {
            return RPCError(
                .resourceExhausted,
                reason: .metadataTooLarge,
                "the metadata has more than \(Metadata.maximumPairs) pairs or \(Metadata.maximumBytes) bytes",
                metadata: ["maximumPairs": "\(Metadata.maximumPairs)", "maximumBytes": "\(Metadata.maximumBytes)"]
            )
        }
        if case .some(nil) = timeout {
            return format == .grpc
                ? RPCError(.internalError, "grpc-timeout is malformed: at most eight digits and one of HMSmun")
                : RPCError(.invalidArgument, "Connect-Timeout-Ms is malformed: at most ten digits")
        }
        if format != .grpc, let version = fields.connectVersion, version != "1" {
            return RPCError(.invalidArgument, "Connect-Protocol-Version is \(version), it must be 1")
        }
        guard let encoding, encoding != "identity", encoding != "gzip" else { return nil }
        return RPCError(.unimplemented, "the encoding \(encoding) is not supported: use gzip or identity")
    }
}

extension MethodPath {
    /// Reads the path of a request: `/service/method`. Nil if it has another form.
    init?(httpPath: String) {
        // By bytes: going through characters costs ten times as much.
        let slash = UInt8(ascii: "/")
        let names = httpPath.utf8.dropFirst()
        guard httpPath.utf8.first == slash, let end = names.firstIndex(of: slash) else { return nil }
        let (service, method) = (names[..<end], names[names.index(after: end)...])
        guard !service.isEmpty, !method.isEmpty, !method.contains(slash) else { return nil }
        self.init(service: String(Substring(service)), method: String(Substring(method)))
    }
}
