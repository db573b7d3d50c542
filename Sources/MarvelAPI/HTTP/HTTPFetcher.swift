package import MarvelDomain

/// The HTTP client that `MarvelAPIClient` needs: one GET, one complete response. `CurlTransport` implements it.
package protocol HTTPFetcher: Sendable {
    /// Fetches `request.url` and returns the complete response of any status. Redirects are not followed: a 302 is
    /// returned like any other response.
    ///
    /// Cancelling the task ends the transfer at once and throws `.cancelled`.
    ///
    /// - Parameter request: The URL, and the limits of time and size for the response.
    /// - Returns: The response, its body decompressed.
    /// - Throws: `HTTPFetchError` if there is no complete response within the limits.
    func get(_ request: HTTPRequest) async throws(HTTPFetchError) -> HTTPResponse
}

/// The reason why there is no response. No text in here holds a URL, a key, or anything that the peer sent.
package enum HTTPFetchError: Error, Sendable, Hashable {
    /// No connection: the name is unknown, the port refuses, or the network is down. No request was sent.
    case unreachable(String)
    /// The certificate or the TLS handshake does not prove the peer's identity. No request was sent.
    case untrusted(String)
    /// The connection broke before the response was complete.
    case interrupted(String)
    /// Connecting or the whole request took too long, or the response came too slowly.
    case timedOut
    /// The decompressed body is above the limit.
    case tooLarge(maximumByteCount: Int)
    /// The peer sent something that is not an HTTP response, or that cannot be decompressed.
    case malformed(String)
    /// The URL's scheme is not http or https.
    case unsupportedURL
    /// The maximum number of requests is active or waiting already.
    case overloaded(maximumRequests: Int)
    /// The calling task was cancelled.
    case cancelled
    /// The transport was shut down.
    case shutDown
    /// The underlying library failed in a way that has no case of its own here.
    case failed(String)
}

extension SourceError {
    /// Makes the error of a source from that of an HTTP request to it.
    package init(_ error: HTTPFetchError) {
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
