internal import Foundation
internal import NIOCore
package import NIOHPACK
package import RPCCore
internal import WireMessages

/// The headers and trailers of the answers to gRPC calls (grpc/doc/PROTOCOL-HTTP2.md, "Responses").
package enum GRPCResponseHeaders {
    /// The maximum size of the trailers, in bytes. Above it the error's details are left out: clients end a connection
    /// whose headers are too large.
    private static let maximumByteCount = 8 * 1024

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
        let message = GRPCStatusMessage.encoded(error.message)
        headers.add(name: "grpc-message", value: message, indexing: .nonIndexable)
        guard !error.details.isEmpty else { return }
        // Without padding, as the protocol asks of senders.
        let details = Data(error.encodedStatus().readableBytesView).base64EncodedString().filter { $0 != "=" }
        guard message.utf8.count + details.utf8.count <= maximumByteCount else { return }
        headers.add(name: "grpc-status-details-bin", value: details, indexing: .nonIndexable)
    }
}
