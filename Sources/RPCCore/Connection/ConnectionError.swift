/// The reason for which a side ends a connection: its text, the reason in a GoAway, and the event that a server counts.
package struct ConnectionError: Error, Sendable, Hashable, CustomStringConvertible {
    package let event: ServerEvent
    /// In UPPER_SNAKE_CASE.
    package let reason: String
    package let description: String

    private init(_ event: ServerEvent, _ reason: String, _ description: String) {
        self.event = event
        self.reason = reason
        self.description = description
    }

    package static let foreignHTTP = foreign(.foreignHTTP, "the peer speaks HTTP, this port does not")
    package static let foreignTLS = foreign(.foreignTLS, "the peer speaks TLS, this port does not")
    package static let foreignUnknown = foreign(.foreignUnknown, "the peer sent an invalid frame")

    private static func foreign(_ event: ServerEvent, _ description: String) -> ConnectionError {
        ConnectionError(event, "NOT_THIS_PROTOCOL", description)
    }

    package static let malformedHello = ConnectionError(
        .malformedHello,
        "HELLO_MALFORMED",
        "the peer's Hello is malformed"
    )

    package static func connectionLimit(_ limit: Int) -> ConnectionError {
        ConnectionError(.connectionLimit, "CONNECTION_LIMIT", "\(limit) connections are open, the limit")
    }

    package static let memoryLimit = ConnectionError(
        .memoryLimit,
        "MEMORY_LIMIT",
        "the buffers of all connections exceed the limit, and this connection has the largest"
    )

    // MARK: Time

    /// A frame did not end in time, or the first one never began.
    package static func frameTimeout(after limit: Duration) -> ConnectionError {
        ConnectionError(.frameTimeout, "FRAME_TIMEOUT", "no complete frame arrived within \(limit)")
    }

    /// The peer acknowledged too few of its waiting bytes in this time.
    package static func writeTimeout(after limit: Duration) -> ConnectionError {
        ConnectionError(.writeTimeout, "WRITE_TIMEOUT", "the peer read nothing for \(limit)")
    }

    /// The peer did not answer a Ping, and sent nothing else.
    package static func keepaliveTimeout(after limit: Duration) -> ConnectionError {
        ConnectionError(.keepaliveTimeout, "KEEPALIVE_TIMEOUT", "the peer did not answer a Ping for \(limit)")
    }

    package static func idleTimeout(after limit: Duration) -> ConnectionError {
        ConnectionError(.idleTimeout, "IDLE", "the connection was idle for \(limit)")
    }

    // MARK: Behavior that costs the server more than the peer

    /// Cancels of calls that had not sent a message yet.
    package static func tooManyCancels(_ limit: Int) -> ConnectionError {
        let text = "the peer cancelled more than \(limit) calls immediately after starting them"
        return ConnectionError(.tooManyCancels, "TOO_MANY_CANCELS", text)
    }

    /// Streams that ended by the peer's fault, in a short time.
    package static func tooManyFaults(_ limit: Int) -> ConnectionError {
        let text = "the peer caused more than \(limit) stream errors in a short time"
        return ConnectionError(.tooManyFaults, "TOO_MANY_FAULTS", text)
    }

    /// Faults that no working client makes, over the connection's lifetime.
    package static func tooManyGlitches(_ limit: Int) -> ConnectionError {
        ConnectionError(.tooManyGlitches, "TOO_MANY_GLITCHES", "the peer sent more than \(limit) invalid frames")
    }

    /// Frames that need no answer and have no effect: Ping, late Hello, unknown types, Credit without a stream.
    package static func tooManyControlFrames(_ limit: Int) -> ConnectionError {
        let text = "the peer sent more than \(limit) frames without effect"
        return ConnectionError(.tooManyControlFrames, "TOO_MANY_CONTROL_FRAMES", text)
    }

    package static func tooManyRejections(_ limit: Int) -> ConnectionError {
        let text = "more than \(limit) calls were refused in a short time, and none accepted"
        return ConnectionError(.tooManyRejections, "TOO_MANY_REJECTIONS", text)
    }
}
