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
