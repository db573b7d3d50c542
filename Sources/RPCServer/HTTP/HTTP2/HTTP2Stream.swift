internal import HTTPFraming
internal import NIOCore
internal import RPCCore

/// One stream of an HTTP/2 connection: a call's request as far as it has arrived, and what its peer has to take.
final class HTTP2Stream: HTTPCall {
    enum Request {
        case begun
        case open(CallBody)
        /// The body has arrived, all of it at once, and has this message.
        case complete(ByteBuffer)
        /// The call has begun, and takes further requests.
        case conversation(CallBody)
        /// The answer is known, and waits for the end of the request. What still arrives is discarded.
        case answerPending(CallAnswer.End)
        /// The call has begun, or the request is answered. What still arrives is discarded.
        case taken
    }

    let id: StreamID
    var request: Request = .taken
    var requested: RequestedCall?
    var answer: CallAnswer?
    /// Whether only the headers of the answer are wanted.
    var isHead = false
    /// Whether the peer sends nothing more on the stream.
    var isInputClosed = false
    /// The bytes of the body that are still to come, if the request names its size.
    private var awaitedByteCount: Int?
    /// The bytes of the request that are kept while it is not complete.
    var heldByteCount = 0
    var hasSentHead = false
    var isAnswered = false
    /// Whether the call's next message waits until the peer takes it.
    var isWaiting = false

    init(_ id: StreamID) { self.id = id }

    /// Notes the size of the body that the request names.
    func bodyBegins(_ byteCount: Int?) { awaitedByteCount = byteCount }

    /// Notes bytes of the body.
    ///
    /// - Returns: Whether it has no more of them than the request says.
    func bodyReceived(_ byteCount: Int) -> Bool {
        guard let awaited = awaitedByteCount else { return true }
        awaitedByteCount = awaited - byteCount
        return byteCount <= awaited
    }

    var isBodyComplete: Bool { awaitedByteCount ?? 0 == 0 }

    /// The bytes that a message lacks of which a part has arrived, or 0 if that is not known; nil if no more is wanted.
    var missingByteCount: Int? {
        switch request {
        case .begun: 0
        case .open(let body), .conversation(let body): body.missingByteCount
        case .complete, .answerPending, .taken: nil
        }
    }

    /// The maximum of bytes that a request with one message may still have; nil if it is no such request.
    var maximumRestByteCount: Int? {
        guard let requested, !requested.method.takesFurtherRequests else { return nil }
        let rest: Int
        switch request {
        case .begun: rest = requested.body.maximumRestByteCount
        case .open(let body): rest = body.maximumRestByteCount
        case .complete, .conversation, .answerPending, .taken: return nil
        }
        return min(rest, awaitedByteCount ?? rest)
    }
}
