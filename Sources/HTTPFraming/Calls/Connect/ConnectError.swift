internal import MarvelDomain
package import NIOCore
package import RPCCore
internal import WireMessages

/// Connect's form of an error, and its HTTP status (connectrpc.com/docs/protocol, "Error-End-Stream" and "Error
/// Codes").
package enum ConnectError {
    package static func json(_ error: RPCError) -> ByteBuffer {
        var json = JSONWriter()
        error.write(to: &json)
        return ByteBuffer(bytes: json.bytes)
    }

    static func endOfStream(_ error: RPCError?) -> ByteBuffer {
        var json = JSONWriter()
        json.object { json in
            guard let error else { return }
            json.key("error")
            error.write(to: &json)
        }
        return ByteBuffer(bytes: json.bytes)
    }

    package static func httpStatus(of code: StatusCode) -> Int {
        switch code {
        case .ok: 200
        case .cancelled: 499
        case .invalidArgument, .failedPrecondition, .outOfRange: 400
        case .unauthenticated: 401
        case .permissionDenied: 403
        case .notFound: 404
        case .alreadyExists, .aborted: 409
        case .resourceExhausted: 429
        case .unimplemented: 501
        case .unavailable: 503
        case .deadlineExceeded: 504
        case .unknown, .internalError, .dataLoss: 500
        }
    }
}
