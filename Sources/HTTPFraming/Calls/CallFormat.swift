/// A form in which calls travel over HTTP: what their content type says.
package enum CallFormat: Sendable, Hashable {
    /// gRPC: messages with a prefix, the status in the trailers.
    case grpc
    /// Connect's unary calls: one message is the body, and an error is an HTTP status with a body in JSON.
    case connect(MessageCodec)
    /// Connect's streams: messages with a prefix, the last of which has the status.
    case connectStream(MessageCodec)
    /// A GET of a picture: the body is the picture.
    case picture

    /// The encoding of messages.
    package enum MessageCodec: Sendable, Hashable {
        case proto
        case json
    }

    /// Reads a content type, whose parameters have no effect. Nil if it is none of a call.
    package init?(contentType: String) {
        // The hot path: nearly all gRPC clients write it so.
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

    /// The content types that are read.
    static let contentTypes =
        "application/grpc, application/grpc+proto, application/json, application/proto, application/connect+json, "
        + "application/connect+proto"

    /// The content type of answers.
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

    /// Whether a call that takes the answer of a stream gets all of its messages, and not only the first.
    package var takesStream: Bool {
        switch self {
        case .grpc, .connectStream: true
        case .connect, .picture: false
        }
    }

    /// Whether messages have a prefix with their length.
    var hasEnvelopes: Bool { takesStream }
}
