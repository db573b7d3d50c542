package enum ConnectionError: Error, Sendable, Hashable {
    case notThisProtocol(ForeignProtocol)
    /// A frame did not end in time, or the first one never began.
    case frameTimeout(after: Duration)
    /// The peer acknowledged too few of its waiting bytes in this time.
    case writeTimeout(after: Duration)
    /// The peer did not answer a Ping, and sent nothing else.
    case keepaliveTimeout(after: Duration)
    case idleTimeout(after: Duration)
    /// The peer repeated, too often, something that costs the server more than the peer.
    case tooMany(RateLimitedBehavior, limit: Int)
    case connectionLimit(Int)
    /// All connections together hold more bytes than allowed, and this one the most.
    case memoryLimit
    case malformedHello
}

extension ConnectionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notThisProtocol(.http): "the peer speaks HTTP, this port does not"
        case .notThisProtocol(.tls): "the peer speaks TLS, this port does not"
        case .notThisProtocol(.unknown): "the peer sent an invalid frame"
        case .frameTimeout(let limit): "no complete frame arrived within \(limit)"
        case .writeTimeout(let limit): "the peer read nothing for \(limit)"
        case .keepaliveTimeout(let limit): "the peer did not answer a Ping for \(limit)"
        case .idleTimeout(let limit): "the connection was idle for \(limit)"
        case .tooMany(.cancels, let limit):
            "the peer cancelled more than \(limit) calls immediately after starting them"
        case .tooMany(.faults, let limit): "the peer caused more than \(limit) stream errors in a short time"
        case .tooMany(.glitches, let limit): "the peer sent more than \(limit) invalid frames"
        case .tooMany(.controlFrames, let limit): "the peer sent more than \(limit) frames without effect"
        case .tooMany(.rejections, let limit):
            "more than \(limit) calls were refused in a short time, and none accepted"
        case .connectionLimit(let limit): "\(limit) connections are open, the limit"
        case .malformedHello: "the peer's Hello is malformed"
        case .memoryLimit: "the buffers of all connections exceed the limit, and this connection has the largest"
        }
    }
}

extension ConnectionError {
    /// The reason in a GoAway, in UPPER_SNAKE_CASE.
    package var reason: String {
        switch self {
        case .notThisProtocol: "NOT_THIS_PROTOCOL"
        case .frameTimeout: "FRAME_TIMEOUT"
        case .writeTimeout: "WRITE_TIMEOUT"
        case .keepaliveTimeout: "KEEPALIVE_TIMEOUT"
        case .idleTimeout: "IDLE"
        case .tooMany(.cancels, _): "TOO_MANY_CANCELS"
        case .tooMany(.faults, _): "TOO_MANY_FAULTS"
        case .tooMany(.glitches, _): "TOO_MANY_GLITCHES"
        case .tooMany(.controlFrames, _): "TOO_MANY_CONTROL_FRAMES"
        case .tooMany(.rejections, _): "TOO_MANY_REJECTIONS"
        case .connectionLimit: "CONNECTION_LIMIT"
        case .malformedHello: "HELLO_MALFORMED"
        case .memoryLimit: "MEMORY_LIMIT"
        }
    }
}

package enum RateLimitedBehavior: Sendable, Hashable {
    /// Cancels of calls that had not sent a message yet.
    case cancels
    /// Streams that ended by the peer's fault, in a short time.
    case faults
    /// Faults that no working client makes, over the connection's lifetime.
    case glitches
    /// Frames that need no answer and have no effect: Ping, late Hello, unknown types, Credit without a stream.
    case controlFrames
    case rejections
}

package enum ForeignProtocol: Sendable, Hashable {
    case http
    case tls
    case unknown
}
