/// The refusal of one call or frame: the error for the peer, and the event that a server counts.
package struct Refusal: Sendable, Hashable {
    package let event: ServerEvent
    package let error: RPCError
    /// Whether the peer is at fault. It is not for refusals because of load.
    package let isFault: Bool
    /// Whether only a broken client does that. Other faults may come from the data that a client was asked to send.
    package let isGlitch: Bool

    private init(_ event: ServerEvent, _ error: RPCError, isFault: Bool = true, isGlitch: Bool = false) {
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
        Refusal(event, RPCError(.invalidArgument, reason: reason, message), isGlitch: true)
    }

    /// Data on a call whose method accepts only its request.
    package static let unexpectedData = Refusal(
        .unexpectedData,
        RPCError(.invalidArgument, reason: .unexpectedData, "the method takes only one request")
    )

    package static func frameTooLarge(byteCount: Int, maximum: Int) -> Refusal {
        let error = RPCError(
            .resourceExhausted,
            reason: .messageTooLarge,
            "message has \(byteCount) bytes, maximum is \(maximum)",
            metadata: ["bytes": "\(byteCount)", "maximum": "\(maximum)"]
        )
        return Refusal(.frameTooLarge, error)
    }

    package static func streamLimit(_ maximum: Int) -> Refusal {
        let error = RPCError(
            .resourceExhausted,
            reason: .streamLimit,
            "\(maximum) calls are open on this connection, its limit: wait for one to end",
            metadata: ["maximum": "\(maximum)"],
            details: [.retryInfo(.seconds(1))]
        )
        return Refusal(.streamLimit, error, isFault: false)
    }

    package static let draining = Refusal(.draining, CallInterruption.draining.error, isFault: false)
}
