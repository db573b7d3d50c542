package import NIOHPACK
package import RPCCore

/// The head of a gRPC call: what its HEADERS frame says (grpc/doc/PROTOCOL-HTTP2.md, "Requests").
package struct GRPCRequestHead: Sendable {
    /// The path, which names the method. Nil if it has not the form `/service/method`.
    package let path: MethodPath?
    package let metadata: Metadata
    /// The timeout in the form that `CallDeadline` takes; 0 if the caller names none.
    package let timeoutNanoseconds: Int64
    /// The encoding of compressed messages; nil for `identity`.
    package let encoding: String?

    /// A request that is no gRPC call. It is answered with an HTTP status alone.
    package enum NotGRPC: Error, Sendable, Hashable {
        /// 405: the method is not POST.
        case methodNotAllowed
        /// 415: the content type is not that of gRPC.
        case unsupportedMediaType

        package var status: String {
            switch self {
            case .methodNotAllowed: "405"
            case .unsupportedMediaType: "415"
            }
        }
    }

    /// The result of reading a head: the head, or the error that the call is answered with.
    package typealias Reading = Result<GRPCRequestHead, RPCError>

    /// Reads the headers of a request.
    ///
    /// - Parameter headers: The headers, which HTTP/2 has found to be well-formed.
    /// - Returns: The head; or the error for metadata over its limits, and for a malformed timeout.
    /// - Throws: `NotGRPC`.
    package static func read(_ headers: HPACKHeaders) throws(NotGRPC) -> Reading {
        var fields = Fields()
        for (name, value, _) in headers { fields.add(name, value) }
        guard fields.isPost else { throw .methodNotAllowed }
        guard fields.isGRPC else { throw .unsupportedMediaType }
        return Result { () throws(RPCError) in try GRPCRequestHead(fields) }
    }

    private init(_ fields: Fields) throws(RPCError) {
        guard fields.areInLimits else {
            throw RPCError(
                .resourceExhausted,
                reason: .metadataTooLarge,
                "the metadata has more than \(Metadata.maximumPairs) pairs or \(Metadata.maximumBytes) bytes",
                metadata: ["maximumPairs": "\(Metadata.maximumPairs)", "maximumBytes": "\(Metadata.maximumBytes)"]
            )
        }
        if let text = fields.timeout {
            guard let nanoseconds = GRPCTimeout.nanoseconds(text) else {
                throw RPCError(.internalError, "grpc-timeout is malformed: at most eight digits and one of HMSmun")
            }
            timeoutNanoseconds = nanoseconds
        } else {
            timeoutNanoseconds = 0
        }
        path = MethodPath(httpPath: fields.path)
        metadata = fields.metadata
        encoding = fields.encoding == "identity" ? nil : fields.encoding
    }

    /// The fields of the headers, as far as a call uses them.
    private struct Fields {
        var isPost = false
        var isGRPC = false
        var path = ""
        var timeout: String?
        var encoding: String?
        var metadata = Metadata()
        var pairCount = 0
        var byteCount = 0

        mutating func add(_ name: String, _ value: String) {
            switch name {
            case ":method": isPost = value == "POST"
            case ":path": path = value
            case "content-type": isGRPC = Self.isGRPC(value)
            case "grpc-timeout": timeout = value
            case "grpc-encoding": encoding = value
            case ":scheme", ":authority", "te", "user-agent", "grpc-accept-encoding", "accept-encoding",
                "content-length", "host":
                break
            default: addMetadata(name, value)
            }
        }

        private mutating func addMetadata(_ name: String, _ value: String) {
            guard !name.hasPrefix("grpc-") else { return }
            pairCount += 1
            byteCount += name.utf8.count + value.utf8.count
            if areInLimits { metadata.append(name, value) }
        }

        var areInLimits: Bool { pairCount <= Metadata.maximumPairs && byteCount <= Metadata.maximumBytes }

        /// Whether a content type is `application/grpc`, `application/grpc+proto`, or one of them with parameters.
        private static func isGRPC(_ value: String) -> Bool {
            // The hot path: nearly all clients write it so.
            if value == "application/grpc" { return true }
            let type = value.prefix { $0 != ";" && $0 != " " }.lowercased()
            return type == "application/grpc" || type == "application/grpc+proto"
        }
    }
}

extension MethodPath {
    /// Reads the path of a request: `/service/method`. Nil if it has another form.
    init?(httpPath: String) {
        let parts = httpPath.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, !parts[1].isEmpty, !parts[2].isEmpty else { return nil }
        self.init(service: String(parts[1]), method: String(parts[2]))
    }
}
