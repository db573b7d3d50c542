/// The reason that one call failed. It travels as `google.rpc.Status`; the connection and its other calls continue.
public struct RPCError: Error, Sendable, Hashable {
    /// The side that reported the error. A refusal by the peer and a failure on this side have different retry rules.
    public enum Origin: Sendable, Hashable {
        /// This side reported the error: the server did not answer, or the answer could not be read.
        case local
        /// The peer sent the error.
        case peer
    }

    /// The kind of the failure.
    public var code: StatusCode
    /// The text for people: what happened and what to do. Never a path, SQL, a key or a signed URL.
    public var message: String
    /// Facts for programs, each kind at most once.
    public var details: [ErrorDetail]
    /// The side that reported the error.
    public var origin: Origin

    /// Makes an error.
    public init(_ code: StatusCode, _ message: String, details: [ErrorDetail] = [], origin: Origin = .local) {
        self.code = code
        self.message = message
        self.details = details
        self.origin = origin
    }

    /// An error with the `ErrorInfo` that every error of this service carries.
    ///
    /// - Parameters:
    ///   - code: The status code.
    ///   - reason: The exact cause.
    ///   - message: What happened and what to do.
    ///   - metadata: Every value that appears in `message`, by name.
    ///   - details: Further details.
    ///   - origin: The side that reported the error.
    public init(
        _ code: StatusCode,
        reason: ErrorReason,
        _ message: String,
        metadata: [String: String] = [:],
        details: [ErrorDetail] = [],
        origin: Origin = .local
    ) {
        let info = ErrorDetail.errorInfo(ErrorInfo(reason: reason, metadata: metadata))
        self.init(code, message, details: [info] + details, origin: origin)
    }

    /// The `ErrorInfo` reason, if the error carries one.
    public var reason: ErrorReason? { info?.reason }

    /// The reason with its metadata; nil if the error has none.
    package var info: ErrorInfo? {
        for case .errorInfo(let info) in details { return info }
        return nil
    }

    /// Returns the same error with more values in its `ErrorInfo`, if it carries one.
    package func adding(metadata: [String: String]) -> RPCError {
        var error = self
        error.details = details.map { detail in
            guard case .errorInfo(var info) = detail else { return detail }
            info.metadata.merge(metadata) { $1 }
            return .errorInfo(info)
        }
        return error
    }

    /// The time for which the peer asks the caller to wait before a retry.
    public var retryDelay: Duration? {
        for case .retryInfo(let delay) in details { return delay }
        return nil
    }
}

extension RPCError: CustomStringConvertible {
    /// The name of the code, and the message.
    public var description: String { "\(code.name): \(message)" }
}

/// The standard details of `google.rpc` (`error_details.proto`) that this project uses.
public enum ErrorDetail: Sendable, Hashable {
    /// `ErrorInfo`: the exact cause.
    case errorInfo(ErrorInfo)
    /// `BadRequest`: the fields that are wrong.
    case badRequest([FieldViolation])
    /// `RetryInfo`: wait at least this long before the next attempt.
    case retryInfo(Duration)
    /// `QuotaFailure`: the limits that were reached.
    case quotaFailure([QuotaViolation])
    /// A detail that this build does not know, kept as it was received.
    case other(typeURL: String, value: [UInt8])
}

/// `google.rpc.ErrorInfo`: the cause in a form that programs can switch on.
public struct ErrorInfo: Sendable, Hashable {
    /// The domain of every reason that this project defines.
    public static let serviceDomain = "marvel-rpc"

    /// The cause.
    public var reason: ErrorReason
    /// The service that defines the reason.
    public var domain: String
    /// The values of the message, by name.
    public var metadata: [String: String]

    /// Makes the cause of an error.
    public init(reason: ErrorReason, domain: String = ErrorInfo.serviceDomain, metadata: [String: String] = [:]) {
        self.reason = reason
        self.domain = domain
        self.metadata = metadata
    }
}

/// One entry of `google.rpc.BadRequest`.
public struct FieldViolation: Sendable, Hashable {
    /// The field's path in the request, as in the `.proto` file: `page_size`.
    public var field: String
    /// The error of the field, for people.
    public var description: String

    /// Makes an entry.
    public init(field: String, description: String) {
        self.field = field
        self.description = description
    }
}

/// One entry of `google.rpc.QuotaFailure`.
public struct QuotaViolation: Sendable, Hashable {
    /// The limit that was reached.
    public var subject: String
    /// The limit and its value, for people.
    public var description: String

    /// Makes an entry.
    public init(subject: String, description: String) {
        self.subject = subject
        self.description = description
    }
}

extension RPCError {
    /// The error for a request that is larger than its method takes.
    package static func requestTooLarge(_ byteCount: Int, maximum: Int) -> RPCError {
        RPCError(
            .resourceExhausted,
            reason: .messageTooLarge,
            "request has \(byteCount) bytes, maximum is \(maximum)",
            metadata: ["bytes": "\(byteCount)", "maximum": "\(maximum)"]
        )
    }
}
