internal import MarvelAPI

/// One request on its way to the engine, and who waits for its end.
struct CurlJob: Sendable {
    typealias ID = UInt64
    typealias Outcome = Result<HTTPResponse, HTTPTransportError>

    let id: ID
    let request: HTTPRequest
    /// When the caller no longer wants the answer, be the request under way or still waiting.
    let deadline: ContinuousClock.Instant
    /// Resumed once, by the mailbox.
    let continuation: CheckedContinuation<Outcome, Never>
}
