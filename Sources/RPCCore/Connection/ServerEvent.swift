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

    package init(_ error: ConnectionError) {
        self =
            switch error {
            case .notThisProtocol(.http): .foreignHTTP
            case .notThisProtocol(.tls): .foreignTLS
            case .notThisProtocol(.unknown): .foreignUnknown
            case .frameTimeout: .frameTimeout
            case .writeTimeout: .writeTimeout
            case .keepaliveTimeout: .keepaliveTimeout
            case .idleTimeout: .idleTimeout
            case .tooMany(.cancels, _): .tooManyCancels
            case .tooMany(.faults, _): .tooManyFaults
            case .tooMany(.glitches, _): .tooManyGlitches
            case .tooMany(.controlFrames, _): .tooManyControlFrames
            case .tooMany(.rejections, _): .tooManyRejections
            case .connectionLimit: .connectionLimit
            case .malformedHello: .malformedHello
            case .memoryLimit: .memoryLimit
            }
    }

    package init(_ refusal: Refusal) {
        self =
            switch refusal {
            case .evenStreamID: .evenStreamID
            case .reusedStreamID: .reusedStreamID
            case .reservedStreamID: .reservedStreamID
            case .inactiveStream: .inactiveStream
            case .unexpectedData: .unexpectedData
            case .frameTooLarge: .frameTooLarge
            case .streamLimit: .streamLimit
            case .draining: .draining
            }
    }

    package init(_ interruption: CallInterruption) {
        self =
            switch interruption {
            case .deadlineExceeded: .deadlineExceeded
            case .creditTimeout: .creditTimeout
            case .inputClosed: .inputClosed
            case .draining: .draining
            case .accessEnded: .accessEnded
            }
    }
}
