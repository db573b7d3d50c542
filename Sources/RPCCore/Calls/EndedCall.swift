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

package struct EndedCall: Sendable {
    package let method: RPCMethod?
    package let system: RPCSystem
    package let startedAt: NIODeadline
    /// When its stream sent the first message, if that was before the last turn.
    private let firstMessageAt: NIODeadline?
    private let hasSentMessage: Bool
    /// The pauses of its stream between messages, without the last one.
    private let pauses: TimeAmount
    private let pausedAt: NIODeadline?
    package private(set) var code: StatusCode
    package private(set) var reason: ErrorReason?
    package let byteCount: Int
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
        firstMessageAt = nil
        hasSentMessage = error == nil && method?.isStreaming == true
        pauses = .zero
        pausedAt = nil
        self.code = error?.code ?? .ok
        self.reason = error?.reason
        self.byteCount = byteCount
        self.principal = principal
        self.trace = trace
    }

    init(_ call: RunningCall) {
        method = call.method
        system = call.system
        startedAt = call.startedAt
        firstMessageAt = call.firstMessageAt
        hasSentMessage = call.hasSentMessage
        pauses = call.pauses
        pausedAt = call.pausedAt
        code = call.code
        reason = call.reason
        byteCount = call.sentByteCount
        principal = call.principal
        trace = call.trace
    }

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
