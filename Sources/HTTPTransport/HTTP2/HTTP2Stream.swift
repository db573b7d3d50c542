internal import HTTPCalls
internal import NIOCore
internal import RPCCore

/// One stream of an HTTP/2 connection: a call's request as far as it has arrived, and what its peer has to take.
final class HTTP2Stream {
    /// The progress of the request.
    enum Request {
        /// The head has arrived.
        case open(CallHead, RPCCore.Method, CallBody)
        /// The call has begun, and takes further requests.
        case conversation(CallBody)
        /// The call has begun, or was refused. What still arrives is discarded.
        case taken
    }

    let id: StreamID
    var request: Request = .taken
    /// The form of the answer; nil if the request is no call.
    var answer: CallAnswer?
    /// Whether the peer sends nothing more on the stream.
    var isInputClosed = false
    /// The bytes of the request that are kept while it is not complete.
    var heldByteCount = 0
    /// Whether the HTTP/2 handler has reset it, because its peer broke the protocol.
    var isFaulty = false
    /// Whether its call counts among those that run.
    var isRunning = false
    /// Whether the headers before the first message were sent.
    var hasSentHead = false
    /// Whether the last frame was written.
    var isAnswered = false
    /// The bytes of DATA that were written and not sent yet.
    var unsentByteCount = 0
    /// The same of an answered stream, at the last look; nil if there was none.
    var unsentAtLastLook: Int?
    /// The bytes that the peer lets the stream still send.
    var window: Int
    /// The bytes that the peer may still send.
    var inboundWindow = HTTP2Connection.defaultWindow
    /// Whether the call's next message waits until the peer takes it.
    var isWaiting = false

    init(_ id: StreamID, window: Int) {
        self.id = id
        self.window = window
    }

    /// The bytes of a further message that would be sent at once; negative if a part of the last one has to wait.
    var room: Int { window - unsentByteCount }
}
