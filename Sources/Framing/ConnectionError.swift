internal import NIOCore

/// What ends a connection and fails its open calls.
package enum ConnectionError: Error, Sendable, Hashable {
    /// The peer speaks another protocol, or framing is lost.
    case notThisProtocol(Stranger)
    /// A frame that began did not end in time, or the first one never began.
    case frameTimeout(after: Duration)
    /// Bytes waited for the peer, and it acknowledged too few of them in this time.
    case writeTimeout(after: Duration)
    /// The peer answered no Ping, nor sent anything else.
    case keepaliveTimeout(after: Duration)
    /// No call was open for this long.
    case idleTimeout(after: Duration)
    /// The peer does too often what costs the server more than the peer.
    case tooMany(Nuisance, limit: Int)
    /// The server has as many connections as it may.
    case connectionLimit(Int)
    /// All connections together hold more than the server keeps, and this one holds the most.
    case memoryLimit
    /// The extension's own messages must be messages.
    case malformedHello
}

extension ConnectionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notThisProtocol(.http): "the peer speaks HTTP, this port does not"
        case .notThisProtocol(.tls): "the peer speaks TLS, this port does not"
        case .notThisProtocol(.unknown): "what the peer sent is no frame"
        case .frameTimeout(let limit): "no whole frame arrived within \(limit)"
        case .writeTimeout(let limit): "the peer read nothing, or next to nothing, for \(limit)"
        case .keepaliveTimeout(let limit): "the peer did not answer a Ping for \(limit)"
        case .idleTimeout(let limit): "no call was open for \(limit)"
        case .tooMany(.cancels, let limit): "the peer cancelled more than \(limit) calls that had just begun"
        case .tooMany(.faults, let limit): "more than \(limit) streams ended by the peer's fault in a short time"
        case .tooMany(.glitches, let limit): "more than \(limit) frames were wrong on this connection"
        case .tooMany(.controlFrames, let limit): "the peer sent more than \(limit) frames that ask for nothing"
        case .connectionLimit(let limit): "\(limit) connections are open, which is the limit"
        case .malformedHello: "the peer's Hello is no Hello message"
        case .memoryLimit: "all connections hold more than the server keeps, and this one holds the most"
        }
    }
}

extension ConnectionError {
    /// The reason that a GoAway gives, in UPPER_SNAKE_CASE.
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
        case .connectionLimit: "CONNECTION_LIMIT"
        case .malformedHello: "HELLO_MALFORMED"
        case .memoryLimit: "MEMORY_LIMIT"
        }
    }
}

/// What a peer may do now and then.
package enum Nuisance: Sendable, Hashable {
    /// Of calls that had sent nothing yet.
    case cancels
    /// Streams that ended by the peer's fault, in a short time.
    case faults
    /// Faults that no working client makes, over the connection's life.
    case glitches
    /// Frames that ask for nothing: Ping, late Hello, unknown types, Credit for nothing.
    case controlFrames
}

/// Who knocks at the framed port by mistake, as far as the first bytes tell.
package enum Stranger: Sendable, Hashable {
    case http
    case tls
    case unknown

    /// The first byte is known not to be 0, with which every frame starts.
    init(firstBytes: ByteBufferView) {
        switch firstBytes.first {
        case 0x16: self = .tls
        case .some(UInt8(ascii: "A")...UInt8(ascii: "Z")): self = .http
        default: self = .unknown
        }
    }
}
