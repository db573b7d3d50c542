/// The exact cause of an `RPCError`: the reason in its `ErrorInfo`, which programs compare and switch on.
///
/// Every reason of this version is a constant. A newer server may send others; they keep their text.
///
///     switch error.reason {
///     case .characterNotFound?: ...
///     case .upstreamQuota?, .budgetSpent?: ...
///     default: ...
///     }
public struct ErrorReason: RawRepresentable, Sendable, Hashable {
    /// The text on the wire: UPPER_SNAKE_CASE, at most 63 characters. Its meaning never changes.
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension ErrorReason: CustomStringConvertible {
    public var description: String { rawValue }
}

// Each constant's comment has the condition, the status code, and the remedy for the caller. `Protos` has the same
// reasons and codes; a test compares them.

/// The reasons that any method of any service may give.
extension ErrorReason {
    /// The request is malformed. INVALID_ARGUMENT: correct the client. gRPC uses INTERNAL for protocol violations, and
    /// UNIMPLEMENTED for a wrong number of messages.
    public static let requestMalformed = ErrorReason(rawValue: "REQUEST_MALFORMED")
    /// A text of the request is not UTF-8, or contains NUL. INVALID_ARGUMENT: correct the field that `BadRequest`
    /// names.
    public static let textInvalid = ErrorReason(rawValue: "TEXT_INVALID")
    /// A value of the request is outside its range. INVALID_ARGUMENT: correct the field that `BadRequest` names.
    public static let valueInvalid = ErrorReason(rawValue: "VALUE_INVALID")

    /// The call's stream id is even. INVALID_ARGUMENT: correct the client.
    public static let streamIDEven = ErrorReason(rawValue: "STREAM_ID_EVEN")
    /// The call's stream id is not higher than the previous one. INVALID_ARGUMENT: correct the client.
    public static let streamIDReused = ErrorReason(rawValue: "STREAM_ID_REUSED")
    /// The call's stream id belongs to the connection. INVALID_ARGUMENT: correct the client.
    public static let streamIDReserved = ErrorReason(rawValue: "STREAM_ID_RESERVED")
    /// Data arrived for a stream without a call. INVALID_ARGUMENT: correct the client.
    public static let streamInactive = ErrorReason(rawValue: "STREAM_INACTIVE")
    /// Data arrived for a call whose method accepts one request. INVALID_ARGUMENT: correct the client.
    public static let unexpectedData = ErrorReason(rawValue: "UNEXPECTED_DATA")

    /// The request is longer than the method, or the connection, allows. RESOURCE_EXHAUSTED: send less.
    public static let messageTooLarge = ErrorReason(rawValue: "MESSAGE_TOO_LARGE")
    /// The request needs more memory when decoded than its length allows. RESOURCE_EXHAUSTED: send fewer elements.
    public static let messageTooComplex = ErrorReason(rawValue: "MESSAGE_TOO_COMPLEX")
    /// The call's metadata has too many pairs or bytes. RESOURCE_EXHAUSTED: send less of it.
    public static let metadataTooLarge = ErrorReason(rawValue: "METADATA_TOO_LARGE")
    /// The answer is longer than the client accepts. RESOURCE_EXHAUSTED: ask for smaller pages.
    public static let answerTooLarge = ErrorReason(rawValue: "ANSWER_TOO_LARGE")

    /// The connection has its maximum of open calls. RESOURCE_EXHAUSTED with `RetryInfo`: wait for one to end.
    public static let streamLimit = ErrorReason(rawValue: "STREAM_LIMIT")
    /// The call has its maximum of unanswered requests. RESOURCE_EXHAUSTED: read the answers first.
    public static let requestLimit = ErrorReason(rawValue: "REQUEST_LIMIT")
    /// The caller exceeds its quota of calls. RESOURCE_EXHAUSTED with `RetryInfo`: retry after that time.
    public static let rateLimit = ErrorReason(rawValue: "RATE_LIMIT")
    /// The stream's next message waited too long for credit. RESOURCE_EXHAUSTED: resume from the metadata's position.
    public static let creditTimeout = ErrorReason(rawValue: "CREDIT_TIMEOUT")

    /// The client closed its side, and the stream would have to wait. CANCELLED: reconnect, and resume.
    public static let inputClosed = ErrorReason(rawValue: "INPUT_CLOSED")
    /// The call was cancelled. CANCELLED: nothing is left to do.
    public static let cancelled = ErrorReason(rawValue: "CANCELLED")
    /// The deadline passed before the call ended. DEADLINE_EXCEEDED: allow more time; a change may have been made.
    public static let deadlineExceeded = ErrorReason(rawValue: "DEADLINE_EXCEEDED")
    /// The server is stopping. UNAVAILABLE with `RetryInfo`: retry, with another server or a little later.
    public static let draining = ErrorReason(rawValue: "DRAINING")
    /// The server has no such method or service. UNIMPLEMENTED: use a method that it has.
    public static let methodUnknown = ErrorReason(rawValue: "METHOD_UNKNOWN")
    /// The request's compression is unsupported. UNIMPLEMENTED: use gzip, or send it uncompressed.
    public static let encodingUnsupported = ErrorReason(rawValue: "ENCODING_UNSUPPORTED")
    /// The `encoding` of a GET is not supported. UNIMPLEMENTED: use `json` or `proto`.
    public static let codecUnsupported = ErrorReason(rawValue: "CODEC_UNSUPPORTED")
    /// The method's messages have no JSON. UNIMPLEMENTED: use `application/proto`.
    public static let jsonUnsupported = ErrorReason(rawValue: "JSON_UNSUPPORTED")
    /// The method takes further requests, which only gRPC carries. UNIMPLEMENTED: call it with gRPC.
    public static let grpcRequired = ErrorReason(rawValue: "GRPC_REQUIRED")
    /// The call needs a token. UNAUTHENTICATED: send one.
    public static let tokenMissing = ErrorReason(rawValue: "TOKEN_MISSING")
    /// The token is malformed, unknown or revoked. UNAUTHENTICATED: ask the operator for one.
    public static let tokenInvalid = ErrorReason(rawValue: "TOKEN_INVALID")
    /// The token has expired. UNAUTHENTICATED: ask the operator for a new one.
    public static let tokenExpired = ErrorReason(rawValue: "TOKEN_EXPIRED")
    /// The connection is not encrypted, so others could read the token. UNAUTHENTICATED: use TLS. The client makes the
    /// same error before it would send one.
    public static let tokenInClear = ErrorReason(rawValue: "TOKEN_IN_CLEAR")
    /// The caller lacks the scope that the metadata names. PERMISSION_DENIED: ask the operator for it.
    public static let scopeMissing = ErrorReason(rawValue: "SCOPE_MISSING")
    /// The server has no memory to read the request. RESOURCE_EXHAUSTED: retry later.
    public static let outOfMemory = ErrorReason(rawValue: "OUT_OF_MEMORY")
    /// The server's own part of the call failed. INTERNAL: report the fault.
    public static let serverFault = ErrorReason(rawValue: "SERVER_FAULT")
}

/// The reasons of errors that the client itself makes. No server sends them. The error's origin is `local`, or `peer`
/// if the server ended the call without a status.
extension ErrorReason {
    /// The connection ended during a call. UNAVAILABLE: retry if repeating is safe; the server may have seen the call.
    public static let connectionLost = ErrorReason(rawValue: "CONNECTION_LOST")
    /// The server did not start a call that was sent. UNAVAILABLE: retry.
    public static let callNotStarted = ErrorReason(rawValue: "CALL_NOT_STARTED")
    /// No server accepts connections. UNAVAILABLE: retry later, or name another server; the call was not sent.
    public static let serverUnreachable = ErrorReason(rawValue: "SERVER_UNREACHABLE")
    /// The client's queue is full. RESOURCE_EXHAUSTED: make fewer concurrent calls.
    public static let clientQueueFull = ErrorReason(rawValue: "CLIENT_QUEUE_FULL")
    /// The client was shut down. UNAVAILABLE: make a new client. A call after the shutdown gets CANCELLED.
    public static let clientShutDown = ErrorReason(rawValue: "CLIENT_SHUT_DOWN")
    /// The unread messages of a stream exceed the client's buffer. RESOURCE_EXHAUSTED: read faster, and resume.
    public static let readerTooSlow = ErrorReason(rawValue: "READER_TOO_SLOW")
    /// The server's answer does not fit its method. INTERNAL: use a server of the same version.
    public static let responseInvalid = ErrorReason(rawValue: "RESPONSE_INVALID")
    /// The server ended a watch without an error. UNAVAILABLE: watch again from the last place.
    public static let watchEnded = ErrorReason(rawValue: "WATCH_ENDED")
}
