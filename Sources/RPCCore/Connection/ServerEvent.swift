/// An event that a server counts: a limit that was reached, or a frame without effect.
///
/// The set is closed and contains no text from a peer, so the counts take constant memory. The names of the cases are
/// keys of the log (`logKey`).
package enum ServerEvent: Int, Sendable, Hashable, CaseIterable {
    // Connections
    case connectionAccepted
    /// No descriptor was left: the connection was accepted with the spare one and closed.
    case connectionShed
    case acceptPaused
    case acceptFailed
    case connectionLimit

    // Connections that the server ended
    case foreignHTTP
    case foreignTLS
    case foreignUnknown
    /// The TLS handshake failed: the peer speaks clear text, or one side refuses the other.
    case handshakeFailed
    case protocolError
    case malformedHello
    case frameTimeout
    case writeTimeout
    case keepaliveTimeout
    case idleTimeout
    case tooManyCancels
    case tooManyFaults
    case tooManyGlitches
    case tooManyControlFrames
    case tooManyRejections
    case memoryLimit

    // Calls that the server refused or ended
    case evenStreamID
    case reusedStreamID
    case reservedStreamID
    case inactiveStream
    case unexpectedData
    case frameTooLarge
    case malformedRequest
    case streamError
    case streamLimit
    case rateLimit
    case creditTimeout
    case inputClosed
    case draining
    case deadlineExceeded
    case unauthenticated
    case permissionDenied
    /// A stream ended because its caller's token was revoked, or had expired.
    case accessEnded

    // Frames
    case cancelReceived
    case frameHeld
    case frameIgnored
}

extension ServerEvent {
    /// The key of the event's count in logs. Keys never change, so a renamed event keeps its first name.
    package var logKey: String {
        switch self {
        case .foreignHTTP: "strangerHTTP"
        case .foreignTLS: "strangerTLS"
        case .foreignUnknown: "strangerUnknown"
        default: "\(self)"
        }
    }
}
