/// The refusal of one call or frame, or the end of a call that its method did not make: the error for the peer, and the
/// event that a server counts.
package struct Refusal: Sendable, Hashable {
    package let event: ServerEvent
    package let error: RPCError
    /// Whether the peer is at fault.
    package let isFault: Bool
    /// Whether only a broken client does that. Other faults may come from the data that a client was asked to send.
    package let isGlitch: Bool

    private init(_ event: ServerEvent, _ error: RPCError, isFault: Bool = false, isGlitch: Bool = false) {
        self.event = event
        self.error = error
        self.isFault = isFault
        self.isGlitch = isGlitch
    }

    /// In ttrpc's PROTOCOL.md, "Stream ID", clients open odd streams.
    package static let evenStreamID = glitch(
        .evenStreamID,
        .streamIDEven,
        "the stream id is even; a client must use odd ids"
    )
    package static let reusedStreamID = glitch(
        .reusedStreamID,
        .streamIDReused,
        "the stream id is not higher than the previous one"
    )
    /// 0xFFFFFFFF belongs to the connection.
    package static let reservedStreamID = glitch(
        .reservedStreamID,
        .streamIDReserved,
        "this stream id belongs to the connection"
    )
    /// Data for a call that was never opened.
    package static let inactiveStream = glitch(.inactiveStream, .streamInactive, "no call is open on this stream")

    private static func glitch(_ event: ServerEvent, _ reason: ErrorReason, _ message: String) -> Refusal {
        Refusal(event, RPCError(.invalidArgument, reason: reason, message), isFault: true, isGlitch: true)
    }

    /// Data on a call whose method accepts only its request.
    package static let unexpectedData = Refusal(
        .unexpectedData,
        RPCError(.invalidArgument, reason: .unexpectedData, "the method takes only one request"),
        isFault: true
    )

    package static func frameTooLarge(byteCount: Int, maximum: Int) -> Refusal {
        let error = RPCError(
            .resourceExhausted,
            reason: .messageTooLarge,
            "message has \(byteCount) bytes, maximum is \(maximum)",
            metadata: ["bytes": "\(byteCount)", "maximum": "\(maximum)"]
        )
        return Refusal(.frameTooLarge, error, isFault: true)
    }

    package static func streamLimit(_ maximum: Int) -> Refusal {
        let error = RPCError(
            .resourceExhausted,
            reason: .streamLimit,
            "\(maximum) calls are open on this connection, its limit: wait for one to end",
            metadata: ["maximum": "\(maximum)"],
            details: [.retryInfo(.seconds(1))]
        )
        return Refusal(.streamLimit, error)
    }

    package static let draining = Refusal(
        .draining,
        RPCError(
            .unavailable,
            reason: .draining,
            "the server is stopping: retry on another server, or later",
            details: [.retryInfo(.seconds(1))]
        )
    )

    static let deadlineExceeded = Refusal(.deadlineExceeded, .deadlineExceeded)

    package static func creditTimeout(after limit: Duration) -> Refusal {
        let error = RPCError(
            .resourceExhausted,
            reason: .creditTimeout,
            "the stream waited \(limit) for credit: resume from the last page token or revision",
            metadata: ["limit": "\(limit)"]
        )
        return Refusal(.creditTimeout, error)
    }

    /// The peer closed its side, and the stream would have to wait: for credit, or for an event.
    static let inputClosed = Refusal(
        .inputClosed,
        RPCError(
            .cancelled,
            reason: .inputClosed,
            "the client closed its side of the connection, and the stream cannot wait for it: resume from the last "
                + "page token or revision"
        )
    )

    static func accessEnded(_ error: RPCError) -> Refusal { Refusal(.accessEnded, error) }
}

extension RPCError {
    package static let deadlineExceeded = RPCError(
        .deadlineExceeded,
        reason: .deadlineExceeded,
        "the deadline passed before the answer was ready"
    )
}
