/// The seventeen outcomes of a call, numbered as in `google.rpc.Code` and gRPC's `doc/statuscodes.md`.
///
/// The number is sent; a number outside the table is read as `unknown`.
public enum StatusCode: Int32, Sendable, Hashable, CaseIterable {
    /// The call succeeded.
    case ok = 0
    /// The caller no longer wants the answer.
    case cancelled = 1
    /// The code is not one of this table, or the failure has no other code.
    case unknown = 2
    /// The request is wrong whatever the state of the service: correct it, do not send it again.
    case invalidArgument = 3
    /// The deadline passed before the call ended. The server may have carried it out nevertheless.
    case deadlineExceeded = 4
    /// The thing that the request names does not exist.
    case notFound = 5
    /// The thing that the request would create exists already.
    case alreadyExists = 6
    /// The caller may not do this.
    case permissionDenied = 7
    /// A limit or a quota is used up; a `RetryInfo` detail says when to retry.
    case resourceExhausted = 8
    /// The operator has to change something before this can work.
    case failedPrecondition = 9
    /// The request conflicts with another change: read again, and decide anew.
    case aborted = 10
    /// The request is outside of what is available now, but may be inside it at another time.
    case outOfRange = 11
    /// The server does not have the method, or not this way to call it.
    case unimplemented = 12
    /// An error of the server or of its data.
    case internalError = 13
    /// The service is not available now: the same call is expected to succeed later.
    case unavailable = 14
    /// Data is lost or damaged.
    case dataLoss = 15
    /// The call has no valid credentials.
    case unauthenticated = 16

    /// The code's name as documentation and error texts write it: `INVALID_ARGUMENT`.
    public var name: String {
        switch self {
        case .ok: "OK"
        case .cancelled: "CANCELLED"
        case .unknown: "UNKNOWN"
        case .invalidArgument: "INVALID_ARGUMENT"
        case .deadlineExceeded: "DEADLINE_EXCEEDED"
        case .notFound: "NOT_FOUND"
        case .alreadyExists: "ALREADY_EXISTS"
        case .permissionDenied: "PERMISSION_DENIED"
        case .resourceExhausted: "RESOURCE_EXHAUSTED"
        case .failedPrecondition: "FAILED_PRECONDITION"
        case .aborted: "ABORTED"
        case .outOfRange: "OUT_OF_RANGE"
        case .unimplemented: "UNIMPLEMENTED"
        case .internalError: "INTERNAL"
        case .unavailable: "UNAVAILABLE"
        case .dataLoss: "DATA_LOSS"
        case .unauthenticated: "UNAUTHENTICATED"
        }
    }
}
