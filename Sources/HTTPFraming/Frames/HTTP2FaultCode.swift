/// The error code of the end of a stream or a connection (RFC 9113, section 7).
package struct HTTP2FaultCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let noError = HTTP2FaultCode(rawValue: 0x0)
    package static let protocolError = HTTP2FaultCode(rawValue: 0x1)
    package static let flowControlError = HTTP2FaultCode(rawValue: 0x3)
    package static let streamClosed = HTTP2FaultCode(rawValue: 0x5)
    package static let frameSizeError = HTTP2FaultCode(rawValue: 0x6)
    package static let refusedStream = HTTP2FaultCode(rawValue: 0x7)
    package static let cancel = HTTP2FaultCode(rawValue: 0x8)
    package static let compressionError = HTTP2FaultCode(rawValue: 0x9)
    package static let enhanceYourCalm = HTTP2FaultCode(rawValue: 0xB)
}

/// A fault of the peer that ends the reading of the connection (RFC 9113, section 5.4.1).
package struct ConnectionFault: Error, Sendable, Hashable {
    /// It decides which counter the fault increases.
    package enum Kind: Sendable, Hashable {
        case foreign
        case broken
        /// More permitted frames than any working client sends.
        case flood
    }

    package let code: HTTP2FaultCode
    package let kind: Kind
    /// The broken rule, for the log of the peer.
    package let message: String

    static func broken(_ code: HTTP2FaultCode, _ message: String) -> ConnectionFault {
        ConnectionFault(code: code, kind: .broken, message: message)
    }

    static func protocolError(_ message: String) -> ConnectionFault { .broken(.protocolError, message) }

    static func wrongLength(_ message: String) -> ConnectionFault { .broken(.frameSizeError, message) }

    static func flood(_ message: String) -> ConnectionFault {
        ConnectionFault(code: .enhanceYourCalm, kind: .flood, message: message)
    }

    static let foreign = ConnectionFault(
        code: .protocolError,
        kind: .foreign,
        message: "the connection does not begin with the HTTP/2 preface"
    )
}
