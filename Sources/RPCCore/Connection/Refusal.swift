package enum Refusal: Sendable, Hashable {
    /// In ttrpc's PROTOCOL.md, "Stream ID", clients open odd streams.
    case evenStreamID
    case reusedStreamID
    /// 0xFFFFFFFF belongs to the connection.
    case reservedStreamID
    /// Data for a call that was never opened.
    case inactiveStream
    /// Data on a call whose method accepts only its request.
    case unexpectedData
    case frameTooLarge(byteCount: Int, maximum: Int)
    case streamLimit(Int)
    case draining
}

extension Refusal {
    /// Whether the peer is at fault. It is not for refusals because of load.
    package var isFault: Bool {
        switch self {
        case .evenStreamID, .reusedStreamID, .reservedStreamID, .inactiveStream: true
        case .unexpectedData, .frameTooLarge: true
        case .streamLimit, .draining: false
        }
    }

    /// Whether only a broken client does that. Other faults may come from the data that a client was asked to send.
    package var isGlitch: Bool {
        switch self {
        case .evenStreamID, .reusedStreamID, .reservedStreamID, .inactiveStream: true
        case .unexpectedData, .frameTooLarge, .streamLimit, .draining: false
        }
    }

    package var error: RPCError {
        switch self {
        case .evenStreamID:
            RPCError(.invalidArgument, reason: .streamIDEven, "the stream id is even; a client must use odd ids")
        case .reusedStreamID:
            RPCError(
                .invalidArgument,
                reason: .streamIDReused,
                "the stream id is not higher than the previous one"
            )
        case .reservedStreamID:
            RPCError(.invalidArgument, reason: .streamIDReserved, "this stream id belongs to the connection")
        case .inactiveStream:
            RPCError(.invalidArgument, reason: .streamInactive, "no call is open on this stream")
        case .unexpectedData:
            RPCError(.invalidArgument, reason: .unexpectedData, "the method takes only one request")
        case .frameTooLarge(let byteCount, let maximum):
            RPCError(
                .resourceExhausted,
                reason: .messageTooLarge,
                "message has \(byteCount) bytes, maximum is \(maximum)",
                metadata: ["bytes": "\(byteCount)", "maximum": "\(maximum)"]
            )
        case .streamLimit(let maximum):
            RPCError(
                .resourceExhausted,
                reason: .streamLimit,
                "\(maximum) calls are open on this connection, its limit: wait for one to end",
                metadata: ["maximum": "\(maximum)"],
                details: [.retryInfo(.milliseconds(100))]
            )
        case .draining: CallInterruption.draining.error
        }
    }
}
