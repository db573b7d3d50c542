package import NIOHPACK
package import RPCCore

/// The headers of a gRPC call (grpc/doc/PROTOCOL-HTTP2.md, "Requests").
package enum GRPCRequestHeaders {
    /// Returns the headers of calls that have no metadata.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - authority: The name of the server, as its client knows it.
    ///   - isSecure: Whether the connection is protected by TLS.
    ///   - software: The name of the client's software.
    ///   - timeoutNanoseconds: The time until the caller's deadline; nil is no limit.
    ///   - indexing: Whether the timeout is so often the same that the server may keep it.
    /// - Returns: The headers.
    package static func headers(
        _ method: MethodPath,
        authority: String,
        isSecure: Bool = false,
        software: String,
        timeoutNanoseconds: Int64?,
        indexing: HPACKIndexing
    ) -> HPACKHeaders {
        var headers = HPACKHeaders()
        headers.reserveCapacity(10)
        headers.add(name: ":method", value: "POST")
        headers.add(name: ":scheme", value: isSecure ? "https" : "http")
        headers.add(name: ":path", value: "/\(method)")
        headers.add(name: ":authority", value: authority)
        headers.add(name: "te", value: "trailers")
        headers.add(name: "content-type", value: "application/grpc")
        headers.add(name: "user-agent", value: software)
        headers.add(name: "grpc-accept-encoding", value: "identity")
        if let timeoutNanoseconds {
            let text = GRPCTimeout.text(nanoseconds: timeoutNanoseconds)
            headers.add(name: "grpc-timeout", value: text, indexing: indexing)
        }
        return headers
    }

    /// Adds the metadata of a call.
    ///
    /// - Throws: INVALID_ARGUMENT if a pair cannot be a header.
    package static func add(_ metadata: Metadata, to headers: inout HPACKHeaders) throws(RPCError) {
        for pair in metadata.pairs {
            let name = pair.key.lowercased()
            guard isFree(name), pair.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw RPCError(
                    .invalidArgument,
                    reason: .metadataInvalid,
                    "the metadata \(pair.key) cannot be sent as a header",
                    metadata: ["key": pair.key]
                )
            }
            // A secret is not kept by a proxy either (RFC 7541, section 7.1.3).
            let indexing: HPACKIndexing = name == "authorization" ? .neverIndexed : .nonIndexable
            headers.add(name: name, value: pair.value, indexing: indexing)
        }
    }

    /// Returns whether a name is that of a header, and none that has a meaning of its own.
    private static func isFree(_ name: String) -> Bool {
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
            default: false
            }
        }
        return isName && !name.isEmpty && !name.hasPrefix("grpc-") && !taken.contains(name)
    }

    /// The headers that a call has already, and those that HTTP/2 forbids (RFC 9113, section 8.2.2).
    private static let taken: Set<String> = [
        "te", "content-type", "content-length", "user-agent", "host", "connection", "keep-alive", "proxy-connection",
        "transfer-encoding", "upgrade",
    ]
}
