internal import MarvelDomain
internal import NIOCore
package import NIOHPACK
package import RPCCore
internal import WireMessages

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
