/// The seventeen outcomes of a call, numbered as in `google.rpc.Code` and gRPC's `doc/statuscodes.md`.
///
/// The number is sent; a number outside the table counts as `unknown`.
public enum StatusCode: Int32, Sendable, Hashable, CaseIterable {
    case ok = 0
    /// The caller no longer wants the answer.
    case cancelled = 1
    /// The code is not in this table, or the failure has no other code.
    case unknown = 2
    /// The request is wrong, regardless of the service's state: correct it, do not send it again.
    case invalidArgument = 3
    /// The deadline passed before the call ended. The server may have carried it out nevertheless.
    case deadlineExceeded = 4
    /// A named resource does not exist.
    case notFound = 5
    /// The resource to create already exists.
    case alreadyExists = 6
    case permissionDenied = 7
    /// A limit or a quota is used up; a `RetryInfo` detail tells when to retry.
    case resourceExhausted = 8
    /// The operator must change something before this can work.
    case failedPrecondition = 9
    /// The request conflicts with another change: read again, and decide again.
    case aborted = 10
    /// The request is outside of the range that is available now.
    case outOfRange = 11
    /// The server lacks the method, or this way to call it.
    case unimplemented = 12
    /// An error of the server or of its data.
    case internalError = 13
    /// The service is not available now: the same call is expected to succeed later.
    case unavailable = 14
    case dataLoss = 15
    case unauthenticated = 16

    /// As in documentation and error texts: `INVALID_ARGUMENT`.
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
