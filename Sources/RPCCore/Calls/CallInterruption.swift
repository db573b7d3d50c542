package enum CallInterruption: Sendable, Hashable {
    case deadlineExceeded
    case creditTimeout(after: Duration)
    /// The peer closed its side, and the stream would have to wait: for credit, or for an event.
    case inputClosed
    case draining
    case accessEnded(RPCError)
}

extension CallInterruption {
    package var error: RPCError {
        switch self {
        case .deadlineExceeded:
            .deadlineExceeded
        case .creditTimeout(let limit):
            RPCError(
                .resourceExhausted,
                reason: .creditTimeout,
                "the stream waited \(limit) for credit: resume from the last page token or revision",
                metadata: ["limit": "\(limit)"]
            )
        case .inputClosed:
            RPCError(
                .cancelled,
                reason: .inputClosed,
                "the client closed its side of the connection, and the stream cannot wait for it: resume from the last "
                    + "page token or revision"
            )
        case .draining:
            RPCError(
                .unavailable,
                reason: .draining,
                "the server is stopping: retry on another server, or later",
                details: [.retryInfo(.seconds(1))]
            )
        case .accessEnded(let error):
            error
        }
    }
}

extension RPCError {
    package static let deadlineExceeded = RPCError(
        .deadlineExceeded,
        reason: .deadlineExceeded,
        "the deadline passed before the answer was ready"
    )
}
