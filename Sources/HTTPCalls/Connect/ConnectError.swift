internal import MarvelDomain
package import NIOCore
package import RPCCore
internal import WireMessages

/// The JSON of an error, and its HTTP status (connectrpc.com/docs/protocol, "Error-End-Stream" and "Error Codes").
package enum ConnectError {
    /// Returns the error as an object with `code`, `message` and `details`.
    package static func json(_ error: RPCError) -> ByteBuffer {
        var json = JSONWriter()
        write(error, to: &json)
        return ByteBuffer(bytes: json.bytes)
    }

    /// Returns the content of the last message of a stream.
    static func endOfStream(_ error: RPCError?) -> ByteBuffer {
        var json = JSONWriter()
        json.object { json in
            guard let error else { return }
            json.key("error")
            write(error, to: &json)
        }
        return ByteBuffer(bytes: json.bytes)
    }

    private static func write(_ error: RPCError, to json: inout JSONWriter) {
        json.object { json in
            json.field("code", name(of: error.code))
            json.field("message", error.message)
            guard !error.details.isEmpty else { return }
            json.array("details", error.details) { json, detail in write(detail, to: &json) }
        }
    }

    private static func write(_ detail: ErrorDetail, to json: inout JSONWriter) {
        let (typeName, value) = detail.typeNameAndValue
        json.object { json in
            json.field("type", typeName)
            json.field("value", Base64.encode(value.readableBytesView, isPadded: false))
            guard case .errorInfo(let info) = detail else { return }
            // The same for people, who have only curl.
            json.object("debug") { json in
                json.field("reason", info.reason.rawValue)
                json.field("domain", info.domain)
                json.object("metadata") { json in
                    for (key, value) in info.metadata.sorted(by: { $0.key < $1.key }) { json.field(key, value) }
                }
            }
        }
    }

    /// Returns the name of a code: `not_found`.
    package static func name(of code: StatusCode) -> String {
        code == .cancelled ? "canceled" : code.name.lowercased()
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
