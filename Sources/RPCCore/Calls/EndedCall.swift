package import NIOCore

/// The protocol of a call.
public enum RPCSystem: Int, Sendable, Hashable, CaseIterable {
    /// The framed wire: ttrpc, and its extensions.
    case ttrpc
    case grpc
    case connect
    /// A plain GET, such as that of a picture.
    case http

    /// For metrics and logs: the name of OpenTelemetry's conventions, if there is one.
    package var name: String {
        switch self {
        case .ttrpc: "ttrpc"
        case .grpc: "grpc"
        case .connect: "connectrpc"
        case .http: "http"
        }
    }
}

/// The end of a call, and what is known of it before: its beginning, its messages and its pauses.
package struct EndedCall: Sendable {
    package let method: RPCMethod?
    package let system: RPCSystem
    package let startedAt: NIODeadline
    /// When its stream sent the first message, if that was before the last turn.
    private(set) var firstMessageAt: NIODeadline?
    var hasSentMessage: Bool
    /// The pauses of its stream between messages, without the last one.
    private var pauses = TimeAmount.zero
    private var pausedAt: NIODeadline?
    package private(set) var code: StatusCode
    package private(set) var reason: ErrorReason?
    /// The size of the sent messages.
    package internal(set) var byteCount: Int
    package let principal: Principal?
    package let trace: TraceParent?

    /// Creates the end of a call that did not begin, or was answered immediately. `byteCount` is the size of the
    /// answer's message.
    package init(
        _ method: RPCMethod?,
        _ system: RPCSystem,
        startedAt: NIODeadline,
        error: RPCError? = nil,
        byteCount: Int = 0,
        principal: Principal? = nil,
        trace: TraceParent? = nil
    ) {
        self.method = method
        self.system = system
        self.startedAt = startedAt
        hasSentMessage = error == nil && method?.isStreaming == true
        self.code = error?.code ?? .ok
        self.reason = error?.reason
        self.byteCount = byteCount
        self.principal = principal
        self.trace = trace
    }

    /// Notes the end of a turn in which its stream sent a message. `isPaused` is whether nothing makes the next one.
    mutating func turnEnded(now: NIODeadline, isPaused: Bool) {
        firstMessageAt = firstMessageAt ?? now
        if isPaused { pausedAt = pausedAt ?? now }
    }

    /// Ends the pause, because the next message is made now.
    mutating func endPause(now: NIODeadline) {
        guard let begun = pausedAt else { return }
        pauses = pauses + max(.zero, now - begun)
        pausedAt = nil
    }

    mutating func ended(_ code: StatusCode, _ reason: ErrorReason?) { (self.code, self.reason) = (code, reason) }

    /// Notes that the caller gets an error in place of the answer.
    package mutating func answerReplaced(by error: RPCError) { (code, reason) = (error.code, error.reason) }

    /// The server's own time for the call, without the pauses of its stream for credit or for a reader. `now` is the
    /// end of its last turn.
    package func nanoseconds(now: NIODeadline) -> Int64 {
        max(0, ((pausedAt ?? now) - startedAt - pauses).nanoseconds)
    }

    /// The time to its stream's first message, if any. `now` is the end of its last turn.
    package func nanosecondsToFirstMessage(now: NIODeadline) -> Int64? {
        hasSentMessage ? max(0, ((firstMessageAt ?? now) - startedAt).nanoseconds) : nil
    }
}
