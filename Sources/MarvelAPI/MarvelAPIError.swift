/// The reason why a gateway's response cannot be used. No text in here holds a key, a signature or a URL.
package enum MarvelAPIError: Error, Sendable, Hashable {
    /// The gateway does not accept our keys (401, 403, or 409 `MissingParameter`). A retry changes nothing.
    case credentials(CredentialsProblem)
    /// The quota of the keys is used up (429). Refused calls count too: send none before `retryAfter`, if it is known.
    case quota(retryAfter: Duration?)
    /// A parameter was refused: by the gateway (409), with its reason, or by this client, without a request.
    case rejected(String)
    /// There is no such character (404 of the entity layer).
    case notFound
    /// The gateway cannot respond now (5xx), or its response is unknown to the contract (redirects, or a 404 of the
    /// routing layer: this host does not serve the API).
    case unavailable(status: Int, retryAfter: Duration?)
    /// The response is not a complete page: HTML, truncated JSON, or a wrong shape.
    case invalidReply(String)
    /// No connection to the gateway.
    case unreachable(String)
    /// The gateway's certificate does not prove its identity.
    case untrusted(String)
    /// The connection broke before the response was complete.
    case interrupted(String)
    /// No response before the timeout.
    case timedOut
    /// The response is larger than a page can be.
    case tooLarge(maximumByteCount: Int)
    /// The number of calls that this server allows itself in a day is used up.
    case budgetSpent(callsPerDay: Int, retryAfter: Duration)
    /// One caller has used its share of the daily calls, and no unshared calls are left.
    case shareSpent(calls: Int, callsPerDay: Int, retryAfter: Duration)
    /// The circuit breaker is open: the gateway failed several times in a row, and is not called now. `lastFailure` is
    /// the last of these failures.
    case circuitOpen(lastFailure: String, retryAfter: Duration)
    /// Too many requests to gateways are active in this process.
    case overloaded(maximumRequests: Int)
    /// The calling task was cancelled.
    case cancelled
    /// This process is stopping.
    case shutDown
    /// The HTTP client itself failed.
    case failed(String)

    /// The gateway's reason for refusing the credentials.
    package enum CredentialsProblem: Sendable, Hashable, CaseIterable {
        case missing
        case unknownKey
        case wrongSignature
        case notAllowed
    }
}

extension MarvelAPIError {
    /// A server that is called over HTTP, as error texts name it.
    package enum Peer: String, Sendable, Hashable {
        case gateway = "the gateway"
        case pictureHost = "the picture host"
    }

    /// Returns the text of the error for a person, where `peer` is the server that failed.
    package func text(about peer: Peer) -> String {
        let name = peer.rawValue
        return switch self {
        case .credentials(let problem): "\(name) refuses the keys: \(problem)"
        case .quota(let delay?): "\(name)'s quota for the keys is used up for \(delay.components.seconds) s"
        case .quota(nil): "\(name)'s quota for the keys is used up, for up to a day"
        case .rejected(let reason): "\(name) does not take the request: \(reason)"
        case .notFound: "\(name) has no such character"
        case .unavailable(let status, _): "\(name) is not available: it answers with HTTP status \(status)"
        case .invalidReply(let reason): "the answer of \(name) is not usable: \(reason)"
        case .unreachable(let reason): "no connection to \(name): \(reason)"
        case .untrusted(let reason): "\(name) is not trusted: \(reason)"
        case .interrupted(let reason): "the connection to \(name) broke: \(reason)"
        case .timedOut: "\(name) did not answer in time"
        case .tooLarge(let maximum): "the answer of \(name) is larger than \(maximum) bytes"
        case .budgetSpent(let calls, let delay):
            "the limit of \(calls) calls to \(name) in a day is reached: the next call is possible in "
                + "\(delay.components.seconds) s"
        case .shareSpent(let calls, let callsPerDay, let delay):
            "this connection has used its share, \(calls) of \(callsPerDay) calls to \(name) in a day: its next call is "
                + "possible in \(delay.components.seconds) s"
        case .circuitOpen(let failure, let delay):
            "\(name) failed too often and is not called for \(delay.components.seconds) s; the last failure: \(failure)"
        case .overloaded(let maximum): "\(maximum) requests to \(name) are already waiting, which is the maximum"
        case .cancelled: "the request to \(name) was cancelled"
        case .shutDown: "the server is stopping"
        case .failed(let reason): "the HTTP client failed: \(reason)"
        }
    }
}

/// The text of the error, with the gateway as the server that failed.
extension MarvelAPIError: CustomStringConvertible {
    package var description: String { text(about: .gateway) }
}

extension MarvelAPIError {
    /// The time to wait before a retry, if it is known.
    package var retryDelay: Duration? {
        switch self {
        case .quota(let delay), .unavailable(_, let delay): delay
        case .budgetSpent(_, let delay), .shareSpent(_, _, let delay), .circuitOpen(_, let delay): delay
        default: nil
        }
    }
}

extension MarvelAPIError.CredentialsProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing: "it found no key, timestamp or hash in the request"
        case .unknownKey: "it does not know the public key"
        case .wrongSignature: "the private key does not belong to the public key"
        case .notAllowed: "they are not allowed to use this service"
        }
    }
}

extension MarvelAPIError {
    /// Makes the error of the gateway call from the error of its HTTP request.
    init(_ error: HTTPTransportError) {
        switch error {
        case .unreachable(let reason): self = .unreachable(reason)
        case .untrusted(let reason): self = .untrusted(reason)
        case .interrupted(let reason): self = .interrupted(reason)
        case .timedOut: self = .timedOut
        case .tooLarge(let maximum): self = .tooLarge(maximumByteCount: maximum)
        case .malformed(let reason): self = .invalidReply(reason)
        case .unsupportedURL: self = .failed("the address is not an http or https URL")
        case .overloaded(let maximum): self = .overloaded(maximumRequests: maximum)
        case .cancelled: self = .cancelled
        case .shutDown: self = .shutDown
        case .failed(let reason): self = .failed(reason)
        }
    }
}
