internal import MarvelAPI

/// One request for the engine, and the continuation that waits for its result.
struct CurlJob: Sendable {
    typealias ID = UInt64
    typealias Outcome = Result<HTTPResponse, HTTPTransportError>

    let id: ID
    let request: HTTPRequest
    /// The moment at which the caller gives up, whether the request is active or waiting.
    let deadline: ContinuousClock.Instant
    /// The continuation, which the mailbox resumes once.
    let continuation: CheckedContinuation<Outcome, Never>
}
