/// The error of one call. It travels as `google.rpc.Status`; the connection and its other calls continue.
public struct RPCError: Error, Sendable, Hashable {
    /// The side that reported the error. Errors of the peer and of this side have different retry rules.
    public enum Origin: Sendable, Hashable {
        /// This side: the server did not answer, or its answer is invalid.
        case local
        case peer
    }

    public var code: StatusCode
    /// The text for people: the problem and the remedy. Never a path, SQL, a key or a signed URL.
    public var message: String
    /// Facts for programs, each kind at most once.
    public var details: [ErrorDetail]
    public var origin: Origin

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
    ///   - message: The problem and the remedy.
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

    public var reason: ErrorReason? { info?.reason }

    package var info: ErrorInfo? {
        for case .errorInfo(let info) in details { return info }
        return nil
    }

    package func adding(metadata: [String: String]) -> RPCError {
        var error = self
        error.details = details.map { detail in
            guard case .errorInfo(var info) = detail else { return detail }
            info.metadata.merge(metadata) { $1 }
            return .errorInfo(info)
        }
        return error
    }

    /// The peer's minimum wait before a retry.
    public var retryDelay: Duration? {
        for case .retryInfo(let delay) in details { return delay }
        return nil
    }
}

extension RPCError: CustomStringConvertible {
    public var description: String { "\(code.name): \(message)" }
}

/// The standard details of `google.rpc` (`error_details.proto`) that this project uses.
public enum ErrorDetail: Sendable, Hashable {
    case errorInfo(ErrorInfo)
    case badRequest([FieldViolation])
    case retryInfo(Duration)
    /// `QuotaFailure`: the limits that were reached.
    case quotaFailure([QuotaViolation])
    case other(typeURL: String, value: [UInt8])
}

/// `google.rpc.ErrorInfo`: the cause in a form that programs can switch on.
public struct ErrorInfo: Sendable, Hashable {
    /// The domain of every reason that this project defines.
    public static let serviceDomain = "marvel-rpc"

    public var reason: ErrorReason
    public var domain: String
    public var metadata: [String: String]

    public init(reason: ErrorReason, domain: String = ErrorInfo.serviceDomain, metadata: [String: String] = [:]) {
        self.reason = reason
        self.domain = domain
        self.metadata = metadata
    }
}

public struct FieldViolation: Sendable, Hashable {
    /// The field's path in the request, as in the `.proto` file: `page_size`.
    public var field: String
    public var description: String

    public init(field: String, description: String) {
        self.field = field
        self.description = description
    }
}

public struct QuotaViolation: Sendable, Hashable {
    public var subject: String
    public var description: String

    public init(subject: String, description: String) {
        self.subject = subject
        self.description = description
    }
}

extension RPCError {
    /// It does not tell the size of the request, of which only a part may have arrived.
    package static func requestTooLarge(maximum: Int, unit: String = "bytes") -> RPCError {
        RPCError(
            .resourceExhausted,
            reason: .messageTooLarge,
            "request has more than \(maximum) \(unit)",
            metadata: ["maximum": "\(maximum)"]
        )
    }
}
