internal import MarvelDomain
internal import Upstream

/// Errors of routing and credentials have a name as `code`, and a `message`. Errors of parameters and unknown ids have
/// a number as `code`, and a `status`.
enum GatewayError: Error, Sendable, Hashable {
    /// `target` has credentials: it must not be logged.
    case unknownRoute(target: String)
    case methodNotAllowed(String)
    case missingKey
    case missingHash
    case missingTimestamp
    case invalidKey
    case notEntitled
    case invalidReferer
    case invalidSignature
    case forbidden
    case throttled
    case parameter(ParameterError)
    case unknown(ResourceKind)
    /// The reason is for the log.
    case failed(reason: String)
    case overloaded

    var status: Int {
        switch self {
        case .unknownRoute, .unknown: 404
        case .methodNotAllowed: 405
        case .missingKey, .missingHash, .missingTimestamp, .parameter: 409
        case .invalidKey, .notEntitled, .invalidReferer, .invalidSignature: 401
        case .forbidden: 403
        case .throttled: 429
        case .failed: 500
        case .overloaded: 503
        }
    }
}

extension GatewayError {
    /// The original's, or our own choice where no response of the original was recorded.
    var body: [UInt8] {
        switch self {
        case .unknownRoute(let target): named("ResourceNotFound", "\(target) does not exist")
        case .methodNotAllowed(let method): named("MethodNotAllowedError", "\(method) is not allowed")
        case .missingKey: named("MissingParameter", "You must provide a user key.")
        case .missingHash: named("MissingParameter", "You must provide a hash.")
        case .missingTimestamp: named("MissingParameter", "You must provide a timestamp.")
        case .invalidKey: named("InvalidCredentials", "The passed API key is invalid.")
        case .notEntitled: named("InvalidCredentials", "This user is not allowed to use that service.")
        case .invalidReferer: named("InvalidCredentials", "The passed referer is invalid.")
        case .invalidSignature:
            named("InvalidCredentials", "That hash, timestamp and key combination is invalid.")
        case .forbidden: named("NotAuthorized", "You are not authorized to access that resource.")
        case .throttled:
            // The original's text also has two spaces.
            named("RequestThrottled", "You have exceeded your rate limit.  Please try again later.")
        case .parameter(let error): numbered(error.status)
        case .unknown(let kind): numbered("We couldn't find that \(kind.oneOfThem)")
        case .failed: numbered("The saved documents cannot be read.")
        case .overloaded: numbered("Too many requests are waiting. Please try again later.")
        }
    }

    private func named(_ code: String, _ message: String) -> [UInt8] {
        JSONWriter.object { json in
            json.field("code", code)
            json.field("message", message)
        }
    }

    private func numbered(_ text: String) -> [UInt8] {
        JSONWriter.object { json in
            json.field("code", status)
            json.field("status", text)
        }
    }
}
