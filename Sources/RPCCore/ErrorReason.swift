/// The exact cause of an `RPCError`: the reason in its `ErrorInfo`, which programs compare and switch on.
///
/// Every reason that this version knows is a constant. A newer server may send others; they keep their text.
///
///     switch error.reason {
///     case .characterNotFound?: ...
///     case .upstreamQuota?, .budgetSpent?: ...
///     default: ...
///     }
public struct ErrorReason: RawRepresentable, Sendable, Hashable {
    /// The text on the wire: UPPER_SNAKE_CASE, at most 63 characters. It never changes its meaning.
    public let rawValue: String

    /// Makes a reason of the text on the wire.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension ErrorReason: CustomStringConvertible {
    /// The text on the wire.
    public var description: String { rawValue }
}

// Each constant's comment tells the condition, the status code with which the reason comes, and what the caller does.
// `Protos` names the same reasons beside the same codes; a test compares them.

/// The reasons that any method of any service may give.
extension ErrorReason {
    /// The request is not an encoding of its message, or not of the protocol. INVALID_ARGUMENT: correct the client. gRPC
    /// has INTERNAL, or UNIMPLEMENTED for another number of messages, for what is not of the protocol.
    public static let requestMalformed = ErrorReason(rawValue: "REQUEST_MALFORMED")
    /// A text of the request is not UTF-8, or holds a NUL. INVALID_ARGUMENT: correct the field that `BadRequest` names.
    public static let textInvalid = ErrorReason(rawValue: "TEXT_INVALID")
    /// A value of the request is outside its range. INVALID_ARGUMENT: correct the field that `BadRequest` names.
    public static let valueInvalid = ErrorReason(rawValue: "VALUE_INVALID")

    /// The call's stream id is even. INVALID_ARGUMENT: correct the client.
    public static let streamIDEven = ErrorReason(rawValue: "STREAM_ID_EVEN")
    /// The call's stream id is not higher than the one before. INVALID_ARGUMENT: correct the client.
    public static let streamIDReused = ErrorReason(rawValue: "STREAM_ID_REUSED")
    /// The call's stream id is the one that belongs to the connection. INVALID_ARGUMENT: correct the client.
    public static let streamIDReserved = ErrorReason(rawValue: "STREAM_ID_RESERVED")
    /// Data arrived for a stream without a call. INVALID_ARGUMENT: correct the client.
    public static let streamInactive = ErrorReason(rawValue: "STREAM_INACTIVE")
    /// Data arrived for a call whose method takes one request only. INVALID_ARGUMENT: correct the client.
    public static let unexpectedData = ErrorReason(rawValue: "UNEXPECTED_DATA")

    /// The request is longer than the method, or the connection, allows. RESOURCE_EXHAUSTED: send less.
    public static let messageTooLarge = ErrorReason(rawValue: "MESSAGE_TOO_LARGE")
    /// The request needs more memory when decoded than its length allows. RESOURCE_EXHAUSTED: send fewer elements.
    public static let messageTooComplex = ErrorReason(rawValue: "MESSAGE_TOO_COMPLEX")
    /// The call's metadata has too many pairs or bytes. RESOURCE_EXHAUSTED: send less of it.
    public static let metadataTooLarge = ErrorReason(rawValue: "METADATA_TOO_LARGE")
    /// The answer is longer than the client accepts. RESOURCE_EXHAUSTED: ask for smaller pages.
    public static let answerTooLarge = ErrorReason(rawValue: "ANSWER_TOO_LARGE")

    /// The connection has as many open calls as it may have. RESOURCE_EXHAUSTED with `RetryInfo`: wait for one to end.
    public static let streamLimit = ErrorReason(rawValue: "STREAM_LIMIT")
    /// As many further requests of the call wait as may wait. RESOURCE_EXHAUSTED: read the answers first.
    public static let requestLimit = ErrorReason(rawValue: "REQUEST_LIMIT")
    /// The caller makes more calls than its quota permits. RESOURCE_EXHAUSTED with `RetryInfo`: retry after that time.
    public static let rateLimit = ErrorReason(rawValue: "RATE_LIMIT")
    /// The stream's next message waited too long for credit. RESOURCE_EXHAUSTED: resume from the position in the
    /// metadata.
    public static let creditTimeout = ErrorReason(rawValue: "CREDIT_TIMEOUT")

    /// The client closed its side of the connection, and the stream would have to wait. CANCELLED: connect again, and
    /// resume from the position in the metadata.
    public static let inputClosed = ErrorReason(rawValue: "INPUT_CLOSED")
    /// The call was cancelled. CANCELLED: nothing is left to do.
    public static let cancelled = ErrorReason(rawValue: "CANCELLED")
    /// The deadline passed before the call ended. DEADLINE_EXCEEDED: allow more time; a change may have been made.
    public static let deadlineExceeded = ErrorReason(rawValue: "DEADLINE_EXCEEDED")
    /// The server is stopping. UNAVAILABLE with `RetryInfo`: retry, with another server or a little later.
    public static let draining = ErrorReason(rawValue: "DRAINING")
    /// The server has no such method or service. UNIMPLEMENTED: use a method that it has.
    public static let methodUnknown = ErrorReason(rawValue: "METHOD_UNKNOWN")
    /// The request is compressed in a way that the server does not know. UNIMPLEMENTED: use gzip, or none.
    public static let encodingUnsupported = ErrorReason(rawValue: "ENCODING_UNSUPPORTED")
    /// The `encoding` of a GET is not supported. UNIMPLEMENTED: use `json` or `proto`.
    public static let codecUnsupported = ErrorReason(rawValue: "CODEC_UNSUPPORTED")
    /// The method's messages have no JSON. UNIMPLEMENTED: use `application/proto`.
    public static let jsonUnsupported = ErrorReason(rawValue: "JSON_UNSUPPORTED")
    /// The method takes further requests, which only gRPC carries. UNIMPLEMENTED: call it with gRPC.
    public static let grpcRequired = ErrorReason(rawValue: "GRPC_REQUIRED")
    /// The call needs a token, and the caller has sent none. UNAUTHENTICATED: send one.
    public static let tokenMissing = ErrorReason(rawValue: "TOKEN_MISSING")
    /// The token is malformed, unknown or revoked. UNAUTHENTICATED: ask the operator for one.
    public static let tokenInvalid = ErrorReason(rawValue: "TOKEN_INVALID")
    /// The token has expired. UNAUTHENTICATED: ask the operator for a new one.
    public static let tokenExpired = ErrorReason(rawValue: "TOKEN_EXPIRED")
    /// Others could read the token: the connection is not encrypted. UNAUTHENTICATED: use TLS. The client itself makes the
    /// same error before it would send one.
    public static let tokenInClear = ErrorReason(rawValue: "TOKEN_IN_CLEAR")
    /// The caller lacks the scope that the metadata names. PERMISSION_DENIED: ask the operator for it.
    public static let scopeMissing = ErrorReason(rawValue: "SCOPE_MISSING")
    /// The server has no memory to read the request. RESOURCE_EXHAUSTED: retry later.
    public static let outOfMemory = ErrorReason(rawValue: "OUT_OF_MEMORY")
    /// The server's own part of the call failed. INTERNAL: report the fault.
    public static let serverFault = ErrorReason(rawValue: "SERVER_FAULT")
}

/// The reasons of errors that the client itself makes. No server sends them. The error's origin is `local`; or `peer` if the
/// server ended the call in another way than with a status.
extension ErrorReason {
    /// The connection ended before a call that was sent. UNAVAILABLE: retry what may be done twice; the server may have
    /// seen the call.
    public static let connectionLost = ErrorReason(rawValue: "CONNECTION_LOST")
    /// The server said that it did not start a call that was sent. UNAVAILABLE: retry.
    public static let callNotStarted = ErrorReason(rawValue: "CALL_NOT_STARTED")
    /// No server accepts connections. UNAVAILABLE: retry later, or name another server; the call was not sent.
    public static let serverUnreachable = ErrorReason(rawValue: "SERVER_UNREACHABLE")
    /// As many calls wait as the client lets wait. RESOURCE_EXHAUSTED: make fewer calls at a time.
    public static let clientQueueFull = ErrorReason(rawValue: "CLIENT_QUEUE_FULL")
    /// The client was shut down before the call ended. UNAVAILABLE: make a new client. The code is CANCELLED if it was shut
    /// down before the call.
    public static let clientShutDown = ErrorReason(rawValue: "CLIENT_SHUT_DOWN")
    /// More of a stream waits to be read than the client keeps. RESOURCE_EXHAUSTED: read faster, and resume.
    public static let readerTooSlow = ErrorReason(rawValue: "READER_TOO_SLOW")
    /// The server's answer is not what its method answers. INTERNAL: use a server of the same version.
    public static let responseInvalid = ErrorReason(rawValue: "RESPONSE_INVALID")
    /// The server ended a watch without an error. UNAVAILABLE: watch again from the last place.
    public static let watchEnded = ErrorReason(rawValue: "WATCH_ENDED")
}
