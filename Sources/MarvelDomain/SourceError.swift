/// The reason why a source of characters or pictures has no answer. No text contains a key, a signature or a URL.
///
/// Every kind of source maps the errors of its own protocol to these.
package enum SourceError: Error, Sendable, Hashable {
    /// The source refuses our credentials, for the reason in the text. A retry cannot help.
    case credentials(String)
    /// The quota of the credentials is used up. Refused calls count too: wait for `retryAfter`, if known.
    case quota(retryAfter: Duration?)
    /// The source, or its client without a request, refused a parameter, for the reason in the text.
    case rejected(String)
    case notFound
    /// The source cannot answer now, or its answer has an HTTP status outside of its contract.
    case unavailable(status: Int, retryAfter: Duration?)
    /// The answer is incomplete or malformed.
    case invalidReply(String)
    case unreachable(String)
    /// The source's certificate does not prove its identity. No request was sent.
    case untrusted(String)
    case interrupted(String)
    case timedOut
    case tooLarge(maximumByteCount: Int)
    /// This server's own maximum of calls in a day is used up.
    case budgetSpent(callsPerDay: Int, retryAfter: Duration)
    /// One caller has used its share of the daily calls.
    case shareSpent(calls: Int, callsPerDay: Int, retryAfter: Duration)
    /// The circuit breaker is open: the source failed several times in a row, and is not called now.
    case circuitOpen(lastFailure: String, retryAfter: Duration)
    case overloaded(maximumRequests: Int)
    case cancelled
    case shutDown
    case failed(String)
}

extension SourceError {
    package enum Peer: String, Sendable, Hashable {
        case gateway = "the gateway"
        case pictureHost = "the picture host"
    }

    package func text(about peer: Peer) -> String {
        let name = peer.rawValue
        return switch self {
        case .credentials(let problem): "\(name) rejects the keys: \(problem)"
        case .quota(let delay?): "\(name)'s quota for the keys is exhausted for \(delay.secondsRoundedUp) s"
        case .quota(nil): "\(name)'s quota for the keys is exhausted, for up to a day"
        case .rejected(let reason): "\(name) rejects the request: \(reason)"
        case .notFound: "\(name) has no such character"
        case .unavailable(let status, _): "\(name) is unavailable: HTTP status \(status)"
        case .invalidReply(let reason): "unusable answer of \(name): \(reason)"
        case .unreachable(let reason): "no connection to \(name): \(reason)"
        case .untrusted(let reason): "\(name) is not trusted: \(reason)"
        case .interrupted(let reason): "the connection to \(name) broke: \(reason)"
        case .timedOut: "\(name) did not answer in time"
        case .tooLarge(let maximum): "the answer of \(name) is larger than \(maximum) bytes"
        case .budgetSpent(let calls, let delay):
            "the limit of \(calls) calls to \(name) per day is reached: the next call is possible in "
                + "\(delay.secondsRoundedUp) s"
        case .shareSpent(let calls, let callsPerDay, let delay):
            "this connection has used its share of \(calls) of the \(callsPerDay) calls to \(name) per day: its next call is "
                + "possible in \(delay.secondsRoundedUp) s"
        case .circuitOpen(let failure, let delay):
            "\(name) failed too often: no calls for \(delay.secondsRoundedUp) s; the last error: \(failure)"
        case .overloaded(let maximum): "\(maximum) requests to \(name) are already waiting, the maximum"
        case .cancelled: "the request to \(name) was cancelled"
        case .shutDown: "the server is stopping"
        case .failed(let reason): "the HTTP client failed: \(reason)"
        }
    }
}

extension SourceError: CustomStringConvertible {
    package var description: String { text(about: .gateway) }
}

extension SourceError {
    /// The time between probe calls while a quota is used up, if the source names no time.
    package static let quotaProbeInterval = Duration.seconds(15 * 60)
    /// The longest pause that a source can request: a wrong value must not stop all calls for longer.
    package static let longestRetryDelay = Duration.seconds(3_600)

    package var retryDelay: Duration? {
        switch self {
        case .quota(let delay), .unavailable(_, let delay): delay
        case .budgetSpent(_, let delay), .shareSpent(_, _, let delay), .circuitOpen(_, let delay): delay
        default: nil
        }
    }
}

extension Duration {
    /// For somebody who waits until then.
    package var secondsRoundedUp: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
