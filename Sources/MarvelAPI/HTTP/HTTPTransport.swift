/// What the Marvel client needs of HTTP: one GET, one whole answer. An edge implements it.
package protocol HTTPTransport: Sendable {
    /// Fetches `request.url` and returns the whole answer, whatever its status. Redirects are not followed: a 302 is
    /// an answer like any other.
    ///
    /// Cancelling the task ends the transfer at once and throws `.cancelled`.
    ///
    /// - Parameter request: Where to go, and the limits of time and size to hold the answer to.
    /// - Returns: The answer, its body decompressed.
    /// - Throws: `HTTPTransportError` if there is no whole answer within the limits.
    func get(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse
}

/// Why there is no answer. No text in here holds a URL, a key, or anything that the peer sent.
package enum HTTPTransportError: Error, Sendable, Hashable {
    /// No connection: the name is unknown, the port refuses, the network is away. Nothing was asked.
    case unreachable(String)
    /// The certificate or the TLS handshake does not prove who the peer is. Nothing was asked.
    case untrusted(String)
    /// The connection broke before the answer was whole.
    case interrupted(String)
    /// Connecting or the whole request took too long, or the answer came too slowly.
    case timedOut
    /// The body, decompressed, is above the limit.
    case tooLarge(maximumByteCount: Int)
    /// What came back is not an HTTP answer, or cannot be decompressed.
    case malformed(String)
    /// The URL is not one of http or https.
    case unsupportedURL
    /// As many requests are under way or waiting as the transport allows.
    case overloaded(maximumRequests: Int)
    /// The task that asked was cancelled.
    case cancelled
    /// The transport was shut down.
    case shutDown
    /// The library underneath failed in a way that has no better name here.
    case failed(String)
}

extension HTTPTransportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let reason): "no connection: \(reason)"
        case .untrusted(let reason): "the peer is not trusted: \(reason)"
        case .interrupted(let reason): "the connection broke: \(reason)"
        case .timedOut: "no answer in time"
        case .tooLarge(let maximum): "the answer is larger than \(maximum) bytes"
        case .malformed(let reason): "not a usable HTTP answer: \(reason)"
        case .unsupportedURL: "the URL is not an http or https URL"
        case .overloaded(let maximum): "\(maximum) HTTP requests are already waiting, which is the maximum"
        case .cancelled: "cancelled"
        case .shutDown: "the HTTP client is shut down"
        case .failed(let reason): "the HTTP client failed: \(reason)"
        }
    }
}
