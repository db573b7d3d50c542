/// The end of a call without a fault of its method: the error for its caller, and the event that a server counts.
package struct CallInterruption: Sendable, Hashable {
    package let event: ServerEvent
    package let error: RPCError

    package static let deadlineExceeded = CallInterruption(event: .deadlineExceeded, error: .deadlineExceeded)

    package static func creditTimeout(after limit: Duration) -> CallInterruption {
        let error = RPCError(
            .resourceExhausted,
            reason: .creditTimeout,
            "the stream waited \(limit) for credit: resume from the last page token or revision",
            metadata: ["limit": "\(limit)"]
        )
        return CallInterruption(event: .creditTimeout, error: error)
    }

    /// The peer closed its side, and the stream would have to wait: for credit, or for an event.
    package static let inputClosed = CallInterruption(
        event: .inputClosed,
        error: RPCError(
            .cancelled,
            reason: .inputClosed,
            "the client closed its side of the connection, and the stream cannot wait for it: resume from the last "
                + "page token or revision"
        )
    )

    package static let draining = CallInterruption(
        event: .draining,
        error: RPCError(
            .unavailable,
            reason: .draining,
            "the server is stopping: retry on another server, or later",
            details: [.retryInfo(.seconds(1))]
        )
    )

    package static func accessEnded(_ error: RPCError) -> CallInterruption {
        CallInterruption(event: .accessEnded, error: error)
    }
}

extension RPCError {
    package static let deadlineExceeded = RPCError(
        .deadlineExceeded,
        reason: .deadlineExceeded,
        "the deadline passed before the answer was ready"
    )
}
