package import NIOCore

/// The protocol by which a call arrived.
package enum RPCSystem: Int, Sendable, Hashable, CaseIterable {
    case ttrpc
    case grpc
    case connect
    /// A plain request of HTTP, as that for a picture.
    case http

    /// The name in metrics and logs: that of OpenTelemetry's conventions, if they have one.
    package var name: String {
        switch self {
        case .ttrpc: "ttrpc"
        case .grpc: "grpc"
        case .connect: "connectrpc"
        case .http: "http"
        }
    }
}

/// A call that has ended, for counters and for the access log.
package struct EndedCall: Sendable {
    /// The method; nil if the request named none that there is.
    package let method: RPCMethod?
    package let system: RPCSystem
    package let startedAt: NIODeadline
    /// The time at which its stream sent the first message, if that was in a turn before the last one.
    private let firstMessageAt: NIODeadline?
    /// Whether a message of its stream was sent.
    private let hasSentMessage: Bool
    /// The pauses that its stream made between messages, without the last one.
    private let pauses: TimeAmount
    /// The beginning of the pause in which it ended; nil if it did not pause.
    private let pausedAt: NIODeadline?
    package let code: StatusCode
    /// The cause of an error; nil if the call succeeded or was cancelled.
    package let reason: ErrorReason?
    /// The size of the messages that were sent, in bytes.
    package let byteCount: Int
    /// The caller; nil if it is not known.
    package let principal: Principal?
    package let trace: TraceParent?

    /// Creates the end of a call that did not begin, or was answered at once.
    ///
    /// - Parameters:
    ///   - method: The method, as far as it is known.
    ///   - system: The protocol by which the call arrived.
    ///   - startedAt: The time at which it arrived.
    ///   - error: The error that it was answered with; nil if it succeeded.
    ///   - byteCount: The size of the answer's message, in bytes.
    ///   - principal: The caller, as far as it is known.
    ///   - trace: The caller's position in its trace.
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

    /// Creates the end of a call that ran.
    init(_ call: RunningCall, _ code: StatusCode, _ reason: ErrorReason?) {
        method = call.method
        system = call.system
        startedAt = call.startedAt
        firstMessageAt = call.firstMessageAt
        hasSentMessage = call.hasSentMessage
        pauses = call.pauses
        pausedAt = call.pausedAt
        self.code = code
        self.reason = reason
        byteCount = call.sentByteCount
        principal = call.principal
        trace = call.trace
    }

    /// The server's own time for the call: without the pauses in which its stream waited for credit or for a reader.
    ///
    /// - Parameter now: The end of the turn in which it ended.
    /// - Returns: The time in nanoseconds.
    package func nanoseconds(now: NIODeadline) -> Int64 {
        max(0, ((pausedAt ?? now) - startedAt - pauses).nanoseconds)
    }

    /// The time to the first message of its stream.
    ///
    /// - Parameter now: The end of the turn in which it ended.
    /// - Returns: The time in nanoseconds; nil if it sent none.
    package func nanosecondsToFirstMessage(now: NIODeadline) -> Int64? {
        hasSentMessage ? max(0, ((firstMessageAt ?? now) - startedAt).nanoseconds) : nil
    }
}
