internal import MarvelDomain
internal import NIOCore
package import NIOHPACK
package import RPCCore
internal import WireMessages

/// The headers and trailers of the answers to gRPC calls (grpc/doc/PROTOCOL-HTTP2.md, "Responses").
package enum GRPCResponseHeaders {
    /// The maximum size of the trailers, in bytes: clients end a connection whose headers are too large.
    private static let maximumByteCount = 8 * 1024
    /// The maximum size of the error's texts in them. The rest is for the names and the other headers, each of which counts
    /// for 32 bytes more than it has (RFC 9113, section 6.5.2). Above it the details are left out, and then the end of the
    /// message.
    private static let maximumTextByteCount = maximumByteCount - 512

    /// The encodings in which requests may be sent.
    private static let acceptedEncodings = "identity,gzip"

    /// The headers before the first message.
    package static let head = HPACKHeaders([
        (":status", "200"), ("content-type", "application/grpc"), ("grpc-accept-encoding", acceptedEncodings),
    ])

    /// The trailers of a call that succeeded.
    package static let success: HPACKHeaders = ["grpc-status": "0"]

    /// Returns the trailers of a call that failed.
    package static func trailers(_ error: RPCError) -> HPACKHeaders {
        var trailers = HPACKHeaders()
        add(error, to: &trailers)
        return trailers
    }

    /// Returns the only headers of a call that failed before its first message.
    package static func trailersOnly(_ error: RPCError) -> HPACKHeaders {
        var headers: HPACKHeaders = [":status": "200", "content-type": "application/grpc"]
        // Clients may send what they are told here with their next call (grpc/doc/compression.md).
        if error.code == .unimplemented { headers.add(name: "grpc-accept-encoding", value: acceptedEncodings) }
        add(error, to: &headers)
        return headers
    }

    /// Adds the status. Its texts differ from call to call, and would push out of the peer's table what does not.
    private static func add(_ error: RPCError, to headers: inout HPACKHeaders) {
        headers.add(name: "grpc-status", value: "\(error.code.rawValue)", indexing: .nonIndexable)
        let message = GRPCStatusMessage.encoded(error.message, maximumByteCount: maximumTextByteCount)
        headers.add(name: "grpc-message", value: message, indexing: .nonIndexable)
        guard !error.details.isEmpty else { return }
        // Without padding, as the protocol asks of senders.
        let details = Base64.encode(error.encodedStatus().readableBytesView, isPadded: false)
        // They have the message too, so that one that was cut never comes with details.
        guard message.utf8.count + details.utf8.count <= maximumTextByteCount else { return }
        headers.add(name: "grpc-status-details-bin", value: details, indexing: .nonIndexable)
    }
}
